"""A mail server for tests that goes wrong where a test asks for it, which a real one does not do on demand.

  smtp.py LOG BEHAVIOUR...   prints its port

The first connection gets the first behaviour, and so on; the last one is for all that follow. A behaviour is ok, or
WHAT@PLACE: WHAT is hang, close or a code to answer, PLACE is greeting, ehlo, mail, rcpt, data, message (within it) or
end (after it). Each line of a client is a line of LOG, and so is each message, as END and the number of its bytes.
"""
import socket
import sys
import threading
import time

log = open(sys.argv[1], "a", buffering=1)
behaviours = sys.argv[2:]


class Closed(Exception):
    pass


def serve(connection, behaviour):
    what, _, place = behaviour.partition("@")
    stream = connection.makefile("rb")

    def reach(here, answer):
        if here != place:
            connection.sendall(answer.encode() + b"\r\n")
        elif what == "hang":
            time.sleep(600)
        elif what == "close":
            raise Closed()
        else:
            connection.sendall(what.encode() + b" anna@example.org is not known here\r\n")
            return False
        return True

    try:
        if not reach("greeting", "220 test"):
            raise Closed()
        while True:
            line = stream.readline()
            if not line:
                return
            log.write(line.decode().strip() + "\n")
            word = line[:4].upper()
            if word in (b"EHLO", b"HELO"):
                reach("ehlo", "250 test")
            elif word == b"MAIL":
                reach("mail", "250 ok")
            elif word == b"RCPT":
                reach("rcpt", "250 ok")
            elif word == b"DATA":
                if not reach("data", "354 go on"):
                    continue
                count = 0
                while (line := stream.readline()) != b".\r\n":
                    if not line or place == "message":
                        raise Closed()
                    count += len(line)
                log.write("END %d\n" % count)
                reach("end", "250 ok")
            elif word == b"QUIT":
                connection.sendall(b"221 bye\r\n")
                return
            else:
                connection.sendall(b"500 what\r\n")
    except (Closed, ConnectionError):
        pass
    finally:
        # The stream holds the socket open.
        stream.close()
        connection.close()


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)


def accept():
    count = 0
    while True:
        connection, _ = listener.accept()
        behaviour = behaviours[min(count, len(behaviours) - 1)]
        count += 1
        threading.Thread(target=serve, args=(connection, behaviour), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
# Ends with the test: its standard input is a pipe of the test.
sys.stdin.read()
