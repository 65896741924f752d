import Foundation
import Synchronization
import TestSupport
import Testing

@testable import VigilTransfers

/// Exchanges with real servers over HTTP; those by SMTP are in the tests of mail.
@Suite struct TransferClientTests {
  private func post(
    _ url: String, body: String = "{}", headers: [(name: String, value: String)] = [],
    shares: Bool = false, timeout: Duration = .seconds(60), trusting certificates: String? = nil
  ) -> Transfer {
    Transfer(
      url: url, body: Data(body.utf8), kind: .http(headers: headers, sharesConnections: shares),
      timeout: timeout, certificatesFile: certificates)
  }

  @Test("a request has its headers and its body, and nothing that libcurl adds for forms")
  func request() async throws {
    let server = try ProviderServer()
    let client = TransferClient()
    let body = String(repeating: "grün ", count: 400_000)
    let ending = await client.perform(
      post(server.url("ok"), body: body, headers: [("Vigil-Attempt", "3"), ("Empty", "")]))
    #expect(ending == TransferEnding(status: 200, body: Data("ok".utf8), hasBegun: true))
    let request = try #require(try server.requests().first)
    #expect(request.body == body)
    #expect(request.headers["vigil-attempt"] == "3")
    #expect(request.headers["empty"] == "")
    #expect(request.headers["expect"] == nil && request.headers["content-type"] == nil)
    await client.close()
  }

  @Test("a kept connection that ends without an answer is no second request")
  func keptConnection() async throws {
    let server = try ProviderServer()
    let client = TransferClient()
    #expect(await client.perform(post(server.url("ok"))).status == 200)
    let ending = await client.perform(post(server.url("reset")))
    #expect(ending == TransferEnding(failure: .closed, hasBegun: true))
    #expect(try server.requests().map(\.answer) == ["ok", "reset"])
    // The next one has a connection of its own.
    #expect(await client.perform(post(server.url("ok"))).status == 200)
    await client.close()
  }

  @Test("a request was sent where its server takes no more connections")
  func goneServer() async throws {
    let server = try ProviderServer()
    let client = TransferClient()
    #expect(await client.perform(post(server.url("ok"))).status == 200)
    let ending = await client.perform(post(server.url("gone")))
    #expect(ending == TransferEnding(failure: .closed, hasBegun: true))
    #expect(try server.requests().map(\.answer) == ["ok", "gone"])
    await client.close()
  }

  @Test("the same over HTTP/2, where a stream is refused, too", arguments: [true, false])
  func keptStreams(closes: Bool) async throws {
    let server = try PushServer { $0.path == "/end" ? (closes ? .close : .refuse) : .init(200) }
    let client = TransferClient()
    func send(_ path: String) async -> TransferEnding {
      await client.perform(post(server.url + path, shares: true, trusting: server.certificates))
    }
    #expect(await send("/a").status == 200)
    let ending = await send("/end")
    #expect(ending == TransferEnding(failure: .closed, hasBegun: true))
    #expect(await send("/b").status == 200)
    #expect(server.requests.map(\.path) == ["/a", "/end", "/b"])
    await client.close()
  }

  @Test("requests at the same time are streams of one connection")
  func streams() async throws {
    let server = try PushServer { _ in .init(200, body: #"{"a":1}"#) }
    let client = TransferClient()
    let endings = await withTaskGroup(of: TransferEnding.self) { group in
      for number in 1...40 {
        group.addTask {
          await client.perform(
            post("\(server.url)/\(number)", shares: true, trusting: server.certificates))
        }
      }
      return await group.reduce(into: [TransferEnding]()) { $0.append($1) }
    }
    #expect(endings.allSatisfy { $0.status == 200 && $0.body == Data(#"{"a":1}"#.utf8) })
    #expect(server.requests.count == 40)
    #expect(Set(server.requests.map(\.connection)) == [1])
    await client.close()
  }

  @Test(
    "a head that has come whole is an answer, whatever follows",
    arguments: [("half", 200, 2), ("endless", 200, 1 << 16), ("twice", 200, 2), ("302", 302, 0)])
  func heads(path: String, status: Int, count: Int) async throws {
    let server = try ProviderServer()
    let client = TransferClient(bodyTimeout: path == "half" ? .milliseconds(200) : .seconds(60))
    let ending = await client.perform(post(server.url(path)))
    #expect(ending.status == status && ending.failure == nil && ending.hasBegun)
    #expect(ending.body.count == count)
    #expect(try server.requests().count == 1)
    await client.close()
  }

  @Test("an answer before the answer is none")
  func early() async throws {
    let server = try ProviderServer()
    let client = TransferClient()
    let ending = await client.perform(post(server.url("early")))
    #expect(ending == TransferEnding(status: 200, body: Data("ok".utf8), hasBegun: true))
    #expect(await client.perform(post(server.url("429"))).retryAfter == "1")
    await client.close()
  }

  @Test(
    "without a head the outcome is unknown",
    arguments: [
      ("hang", TransferFailure.timeout), ("close", .closed), ("reset", .closed), ("long", .other),
    ])
  func noAnswer(path: String, failure: TransferFailure) async throws {
    let server = try ProviderServer()
    let client = TransferClient()
    let ending = await client.perform(
      post(server.url(path), timeout: path == "hang" ? .milliseconds(500) : .seconds(60)))
    #expect(ending == TransferEnding(failure: failure, hasBegun: true))
    await client.close()
  }

  @Test("nothing is sent to a server whose certificate is not trusted, or is of another name")
  func certificates() async throws {
    let server = try PushServer { _ in .init(200) }
    let client = TransferClient()
    let expected = TransferEnding(failure: .encryption, hasBegun: false)
    #expect(await client.perform(post(server.url)) == expected)
    let other = "https://127.0.0.1:\(server.port)"
    #expect(await client.perform(post(other, trusting: server.certificates)) == expected)
    #expect(await client.perform(post(server.url, trusting: "/no/such/file")) == expected)
    #expect(server.requests.isEmpty)
    await client.close()
  }

  @Test(
    "only HTTP is spoken where a request is posted",
    arguments: [
      "file:///etc/passwd", "ftp://127.0.0.1/", "smtp://127.0.0.1/", "gopher://127.0.0.1/",
      "nonsense:",
      "http://127.0.0.1:99999/", "",
    ])
  func protocols(url: String) async {
    let client = TransferClient()
    let ending = await client.perform(post(url))
    #expect(ending == TransferEnding(failure: .other, hasBegun: false))
    await client.close()
  }

  @Test(
    "a header with a line's end is not sent", arguments: ["a\r\nB: c", "a\nb", "\u{0}", "\u{7f}"])
  func headers(value: String) async throws {
    let server = try ProviderServer()
    let client = TransferClient()
    let ending = await client.perform(post(server.url("ok"), headers: [("Key", value)]))
    #expect(ending == TransferEnding(failure: .unsendable, hasBegun: false))
    #expect(try server.requests().isEmpty)
    await client.close()
  }

  @Test("a server that is not there was not reached")
  func away() async {
    let client = TransferClient()
    let expected = TransferEnding(failure: .unreachable, hasBegun: false)
    #expect(await client.perform(post("http://127.0.0.1:1/")) == expected)
    #expect(await client.perform(post("http://name.invalid/")) == expected)
    await client.close()
  }

  @Test("a server that takes a connection and says nothing was not reached over TLS")
  func silent() async throws {
    let listener = try SilentListener()
    let client = TransferClient(connectTimeout: .milliseconds(300))
    let ending = await client.perform(post("https://127.0.0.1:\(listener.port)/"))
    #expect(ending == TransferEnding(failure: .connectTimeout, hasBegun: false))
    await client.close()
  }

  @Test("a client that is closed ends what is going on, and takes nothing more")
  func closing() async throws {
    let server = try ProviderServer()
    let client = TransferClient()
    async let ending = client.perform(post(server.url("hang")))
    while try server.requests().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    await client.close()
    #expect(await ending == TransferEnding(failure: .other, hasBegun: true))
    let next = await client.perform(post(server.url("ok")))
    #expect(next == TransferEnding(failure: .other, hasBegun: false))
    #expect(try server.requests().count == 1)
  }

  @Test("many transfers of every kind at once all end")
  func many() async throws {
    let server = try ProviderServer()
    let client = TransferClient(bodyTimeout: .milliseconds(200))
    let paths = ["ok", "429", "close", "reset", "half", "hang", "twice", "endless"]
    let endings = await withTaskGroup(of: TransferEnding.self) { group in
      for number in 0..<200 {
        let path = paths[number % paths.count]
        group.addTask {
          await client.perform(
            post(server.url(path), timeout: path == "hang" ? .seconds(1) : .seconds(60)))
        }
      }
      return await group.reduce(into: [TransferEnding]()) { $0.append($1) }
    }
    #expect(endings.count == 200)
    #expect(endings.count { $0.status == 200 } == 100)
    #expect(endings.count { $0.status == 429 } == 25)
    #expect(try server.requests().count == 200)
    await client.close()
  }
}

/// A socket that takes connections by its queue alone.
private final class SilentListener {
  private let socket: Int32
  let port: Int

  private struct NotStarted: Error {}

  init() throws {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    socket = Foundation.socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = self.socket
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && listen(socket, 8) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    guard isListening else { throw NotStarted() }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(socket) }
}
