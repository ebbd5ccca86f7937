#ifndef TLS_RECORDS_H
#define TLS_RECORDS_H

/* Lets each thread keep a few of libssl's buffers for records (17 KiB) when they are freed, for the next connection that
   reads or writes. To be called before anything else of OpenSSL; returns 1, or 0 where it is too late and nothing
   is kept. */
int pinhole_keep_record_buffers(void);

#endif
