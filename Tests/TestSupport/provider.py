"""A provider for tests: an HTTP server on a free port, which it prints, that answers as a path says.

  provider.py LOG [PORT [quiet]]

Without a PORT, or with 0, the port is a free one. /ok and /ok/... 200, /429 with Retry-After: 1, /500, /400, /302, /hang never
answers, /close ends within its answer, /reset before it, /gone too and takes no more connections, /half hangs within
the body of a 200, /twice answers two times, /endless sends a body and /long a head without an end, /early 103 before
200, /answer/STATUS/SECONDS has this status and this Retry-After, /receipt answers as a provider of text messages, /mixed is one of the first by chance.
Each request is a line of JSON in LOG, written before the answer: time, answer, method, headers and body.
"""
import asyncio
import json
import random
import sys
import time

log = open(sys.argv[1], "a", buffering=1)
port = int(sys.argv[2]) if len(sys.argv) > 2 else 0
quiet = "quiet" in sys.argv
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
count = 0


async def answer(kind, writer):
    if kind == "ok" or kind.startswith("ok/"):
        writer.write(OK)
    elif kind == "twice":
        writer.write(OK + OK)
    elif kind == "429":
        writer.write(b"HTTP/1.1 429 Slow\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")
    elif kind == "302":
        writer.write(b"HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n")
    elif kind == "500" or kind == "400":
        # Words that no log may repeat.
        body = b"cannot reach anna@example.org"
        writer.write(b"HTTP/1.1 %s Bad\r\nContent-Length: %d\r\n\r\n" % (kind.encode(), len(body)) + body)
    elif kind == "close":
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Le")
        await writer.drain()
        writer.close()
    elif kind == "half":
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok")
        await writer.drain()
        await asyncio.sleep(600)
    elif kind == "endless" or kind == "long":
        head = b"HTTP/1.1 200 OK\r\n"
        writer.write(head + b"Transfer-Encoding: chunked\r\n\r\n" if kind == "endless" else head)
        for number in range(1 << 14):
            writer.write(b"400\r\n%s\r\n" % (b"x" * 1024) if kind == "endless" else b"X-%d: %s\r\n" % (number, b"x" * 1024))
            await writer.drain()
    elif kind == "early":
        writer.write(b"HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n" + OK)
    elif kind.startswith("answer/"):
        _, status, after = kind.split("/")
        writer.write(b"HTTP/1.1 %s Some\r\nRetry-After: %s\r\nContent-Length: 0\r\n\r\n" % (status.encode(), after.encode()))
    elif kind == "receipt":
        body = b'{"id": "SM%d", "segments": 3, "cost": 0.24, "currency": "EUR"}' % count
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    elif kind == "reset":
        writer.close()
    elif kind == "gone":
        server.close()
        writer.close()
    elif kind == "hang":
        await asyncio.sleep(600)
    await writer.drain()


async def serve(reader, writer):
    global count
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.decode().split("\r\n")
            method, path = lines[0].split(" ")[:2]
            headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:] if line)}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            kind = path.strip("/")
            if kind == "mixed":
                kind = random.choices(
                    ["ok", "twice", "429", "500", "close", "reset", "hang"], [70, 5, 6, 8, 4, 4, 3])[0]
            elif kind == "first-500":
                kind = "500" if count == 0 else "ok"
            count += 1
            if quiet:
                if count % 1000 == 0:
                    log.write("%d\n" % count)
            else:
                log.write(json.dumps(
                    {"time": time.time(), "answer": kind, "method": method, "headers": headers, "body": body.decode()}) + "\n")
            await answer(kind, writer)
            if writer.is_closing():
                return
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main():
    global server
    server = await asyncio.start_server(serve, "127.0.0.1", port, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    # Ends with the test: its standard input is a pipe of the test.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
