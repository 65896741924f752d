"""A service of push messages for tests: an HTTP/2 server with TLS on a free port, which it prints.

  push.py FOLDER

FOLDER has cert.pem and key.pem of the server, and, once they are made, the private key ec.pem and the public key
rsa.pub.pem, by which the signature of each token is verified. Each request is a line of JSON on the standard output:
id, connection, path, headers, body, and is_signed where there is a token. A line on the standard input answers it:

  {"id": 1, "status": 200, "headers": [["retry-after", "7"]], "body": "{}"}
  {"id": 1, "action": "hang"}       never answers
  {"id": 1, "action": "close"}      ends the connection without an answer
  {"id": 1, "action": "refuse"}     ends the stream as one that was not processed (RFC 9113, section 8.7)
"""
import asyncio
import base64
import hashlib
import json
import pathlib
import ssl
import sys
import urllib.parse

import ecdsa
import h2.config
import h2.connection
import h2.errors
import h2.events
import rsa

folder = pathlib.Path(sys.argv[1])
waiting = {}
counts = {"request": 0, "connection": 0}


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_signed(token):
    """Whether a JSON Web Token has the signature of the key for its algorithm."""
    signed, _, signature = token.rpartition(".")
    algorithm = json.loads(decoded(signed.split(".")[0]))["alg"]
    try:
        if algorithm == "ES256":
            key = ecdsa.SigningKey.from_pem((folder / "ec.pem").read_text()).verifying_key
            return key.verify(decoded(signature), signed.encode(), hashlib.sha256)
        if algorithm == "RS256":
            key = rsa.PublicKey.load_pkcs1_openssl_pem((folder / "rsa.pub.pem").read_bytes())
            return rsa.verify(signed.encode(), decoded(signature), key) == "SHA-256"
    except (ecdsa.BadSignatureError, rsa.VerificationError):
        pass
    return False


def token_of(headers, body):
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind == "bearer":
        return token
    return urllib.parse.parse_qs(body).get("assertion", [None])[0]


async def serve(reader, writer):
    counts["connection"] += 1
    number = counts["connection"]
    connection = h2.connection.H2Connection(
        config=h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
    connection.initiate_connection()
    writer.write(connection.data_to_send())
    streams = {}

    def begin(stream):
        headers, body = streams.pop(stream)
        counts["request"] += 1
        request = {
            "id": counts["request"], "connection": number, "path": headers[":path"],
            "headers": headers, "body": body.decode()}
        token = token_of(headers, request["body"])
        if token:
            request["is_signed"] = is_signed(token)
        waiting[counts["request"]] = (connection, writer, stream)
        print(json.dumps(request), flush=True)

    try:
        while data := await reader.read(1 << 16):
            for event in connection.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    streams[event.stream_id] = (dict(event.headers), b"")
                elif isinstance(event, h2.events.DataReceived):
                    headers, body = streams[event.stream_id]
                    streams[event.stream_id] = (headers, body + event.data)
                    connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    begin(event.stream_id)
            writer.write(connection.data_to_send())
            await writer.drain()
    except (ConnectionError, ssl.SSLError):
        pass
    finally:
        writer.close()


def answer(line):
    answer = json.loads(line)
    connection, writer, stream = waiting.pop(answer["id"])
    action = answer.get("action")
    if action == "hang":
        return
    if action == "close":
        writer.transport.abort()
        return
    try:
        if action == "refuse":
            connection.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
        else:
            headers = [(":status", str(answer["status"]))] + [tuple(h) for h in answer["headers"]]
            connection.send_headers(stream, headers)
            connection.send_data(stream, answer["body"].encode(), end_stream=True)
        writer.write(connection.data_to_send())
    except h2.exceptions.ProtocolError:
        # The client has given the request up.
        pass


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    context.set_alpn_protocols(["h2"])
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    # Ends with the test: its standard input is a pipe of the test.
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        answer(line)


asyncio.run(main())
