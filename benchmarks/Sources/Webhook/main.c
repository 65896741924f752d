#define _GNU_SOURCE
// Answers every POST on a port of this machine with 204, on one thread, and says at the end how many there were.
//
// usage: Webhook PORT_FILE      (the port that it has got is written to the file; ends at SIGTERM)
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 4096, BUFFER = 16384 };

struct connection {
  char bytes[BUFFER];
  size_t count;
};

static struct connection *connections[MOST_CONNECTIONS];
static volatile sig_atomic_t is_stopping;

static void stop(int signal) {
  (void)signal;
  is_stopping = 1;
}

static void fail(const char *what) {
  fprintf(stderr, "Webhook: %s: %s\n", what, strerror(errno));
  exit(1);
}

// The size of the request at the start of the bytes; 0 where it is not whole.
static size_t request_size(const char *bytes, size_t count) {
  const char *end = memmem(bytes, count, "\r\n\r\n", 4);
  if (!end) return 0;
  size_t head = (size_t)(end - bytes) + 4;
  size_t body = 0;
  for (const char *line = bytes; line < end;) {
    const char *next = memmem(line, (size_t)(bytes + head - line), "\r\n", 2);
    if (strncasecmp(line, "content-length:", 15) == 0) body = strtoul(line + 15, NULL, 10);
    line = next + 2;
  }
  return head + body <= count ? head + body : 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: Webhook PORT_FILE\n");
    return 64;
  }
  struct sigaction action = {.sa_handler = stop};
  sigaction(SIGTERM, &action, NULL);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) || listen(listener, 512) ||
      getsockname(listener, (struct sockaddr *)&address, &size))
    fail("cannot listen");
  FILE *file = fopen(argv[1], "w");
  if (!file) fail(argv[1]);
  fprintf(file, "%d\n", ntohs(address.sin_port));
  fclose(file);

  int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event)) fail("epoll");
  static const char answer[] = "HTTP/1.1 204 No Content\r\n\r\n";
  long requests = 0;
  int open_connections = 0, most_connections = 0;
  struct epoll_event events[256];
  while (!is_stopping) {
    int found = epoll_wait(epoll, events, 256, -1);
    for (int i = 0; i < found; i++) {
      int fd = events[i].data.fd;
      if (fd == listener) {
        int new = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (new < 0) continue;
        if (new >= MOST_CONNECTIONS) {
          close(new);
          continue;
        }
        int yes = 1;
        setsockopt(new, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        connections[new] = calloc(1, sizeof *connections[new]);
        event = (struct epoll_event){.events = EPOLLIN, .data.fd = new};
        epoll_ctl(epoll, EPOLL_CTL_ADD, new, &event);
        if (++open_connections > most_connections) most_connections = open_connections;
        continue;
      }
      struct connection *own = connections[fd];
      ssize_t got = read(fd, own->bytes + own->count, BUFFER - own->count);
      if (got < 0 && errno == EAGAIN) continue;
      if (got <= 0) {
        close(fd);
        free(own);
        open_connections--;
        continue;
      }
      own->count += (size_t)got;
      size_t whole;
      while ((whole = request_size(own->bytes, own->count)) > 0) {
        requests++;
        if (write(fd, answer, sizeof answer - 1) < 0) break;
        own->count -= whole;
        memmove(own->bytes, own->bytes + whole, own->count);
      }
    }
  }
  printf("%ld requests, at most %d connections at once\n", requests, most_connections);
  return 0;
}
