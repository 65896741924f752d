#ifndef VIGIL_CSTART_H
#define VIGIL_CSTART_H

/* Bytes of address space without which no command can begin: its libraries, and the threads of the runtime. */
#define VIGIL_LEAST_ADDRESS_SPACE (384LL << 20)

/* The limit of the address space of this process in bytes; -1 for none. */
long long vigil_address_space_limit(void);

/* Whether the process can still get so many bytes of address space. */
int vigil_has_address_space(unsigned long long bytes);

/* Sends SIGALRM to this process after so many milliseconds; 0 for never. A handler of signals may call it. */
void vigil_alarm(long milliseconds);

#endif
