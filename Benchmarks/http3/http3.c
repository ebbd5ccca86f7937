// A prototype of an HTTP/3 endpoint: ends QUIC with a leaf that it mints for the name of the ClientHello, and forwards
// each request to an HTTP/1.1 server on loopback, like a reverse proxy without capture and rules. It exists to be
// measured (docs/DECISIONS.md) and guards against nothing. Responses need a Content-Length.
// Usage: http3 CA.pem CA-KEY.pem UDP-PORT ORIGIN-PORT
// It needs OpenSSL 3.5 and libnghttp3, as in Debian 13.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <nghttp3/nghttp3.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/quic.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BODY_ROOM = 65536, HEAD_ROOM = 16384, LEAVES = 256 };

struct connection;

/// A TCP connection to the server; it serves one stream at a time.
struct origin {
    int descriptor;
    bool isConnected, isPaused;
    struct stream *stream;
    char head[HEAD_ROOM];
    size_t headLength;
    size_t left;
    struct origin *nextIdle;
};

struct stream {
    SSL *ssl;
    int64_t id;
    struct connection *connection;
    bool isRead, isReset;
    // The request, as HTTP/1.1.
    char method[16], path[4096], authority[256];
    char fields[HEAD_ROOM];
    size_t fieldsLength;
    char *request;
    size_t requestLength, requestSent;
    bool isWhole;
    // The response.
    struct origin *origin;
    char status[4];
    char *body;
    size_t acked, handed, end;
    bool isEnded;
    struct stream *next;
};

struct connection {
    SSL *ssl;
    nghttp3_conn *http;
    struct stream *streams;
    struct connection *next;
    bool isBroken;
};

static int poller, originPort;
static struct connection *connections;
static struct origin *idle;
static X509 *authority;
static EVP_PKEY *authorityKey, *leafKey;
static struct { char name[256]; X509 *leaf; } leaves[LEAVES];
static size_t leafCount;

static void stop(const char *what) {
    perror(what);
    ERR_print_errors_fp(stderr);
    exit(3);
}

// MARK: - Certificates

static X509 *mint(const char *name) {
    for (size_t at = 0; at < leafCount; at++)
        if (strcmp(leaves[at].name, name) == 0) return leaves[at].leaf;
    X509 *leaf = X509_new();
    X509_set_version(leaf, X509_VERSION_3);
    uint64_t serial;
    RAND_bytes((unsigned char *)&serial, sizeof serial);
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(leaf), serial >> 1);
    X509_gmtime_adj(X509_getm_notBefore(leaf), -86400);
    X509_gmtime_adj(X509_getm_notAfter(leaf), 7 * 86400);
    X509_set_issuer_name(leaf, X509_get_subject_name(authority));
    const unsigned char *text = (const unsigned char *)name;
    X509_NAME_add_entry_by_txt(X509_get_subject_name(leaf), "CN", MBSTRING_UTF8, text, -1, -1, 0);
    X509_set_pubkey(leaf, leafKey);
    char names[300];
    snprintf(names, sizeof names, "DNS:%s", name);
    const struct { int kind; const char *value; } extensions[] = {
        {NID_subject_alt_name, names}, {NID_ext_key_usage, "serverAuth"}, {NID_key_usage, "critical,digitalSignature"},
        {NID_basic_constraints, "critical,CA:FALSE"}, {NID_authority_key_identifier, "keyid"}};
    X509V3_CTX context;
    X509V3_set_ctx(&context, authority, leaf, NULL, NULL, 0);
    for (size_t at = 0; at < sizeof extensions / sizeof *extensions; at++) {
        X509_EXTENSION *made = X509V3_EXT_conf_nid(NULL, &context, extensions[at].kind, extensions[at].value);
        if (made) X509_add_ext(leaf, made, -1);
        X509_EXTENSION_free(made);
    }
    X509_sign(leaf, authorityKey, EVP_sha256());
    if (leafCount < LEAVES) {
        snprintf(leaves[leafCount].name, sizeof leaves[leafCount].name, "%s", name);
        leaves[leafCount++].leaf = leaf;
    }
    return leaf;
}

static int chooseCertificate(SSL *ssl, void *unused) {
    (void)unused;
    const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    return SSL_use_certificate(ssl, mint(name ? name : "localhost")) == 1 && SSL_use_PrivateKey(ssl, leafKey) == 1;
}

static int chooseProtocol(SSL *ssl, const unsigned char **out, unsigned char *length, const unsigned char *in,
                          unsigned int inLength, void *unused) {
    (void)ssl, (void)unused;
    static const unsigned char ours[] = {2, 'h', '3'};
    int result = SSL_select_next_proto((unsigned char **)out, length, ours, sizeof ours, in, inLength);
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

// MARK: - The server

static void watch(struct origin *origin, int operation) {
    struct stream *stream = origin->stream;
    uint32_t events = origin->isPaused ? 0 : EPOLLIN;
    if (!origin->isConnected || (stream && stream->request && stream->requestSent < stream->requestLength))
        events |= EPOLLOUT;
    epoll_ctl(poller, operation, origin->descriptor, &(struct epoll_event){.events = events, .data.ptr = origin});
}

static void send_request(struct origin *origin) {
    struct stream *stream = origin->stream;
    while (stream->requestSent < stream->requestLength) {
        ssize_t count = send(origin->descriptor, stream->request + stream->requestSent,
                             stream->requestLength - stream->requestSent, MSG_NOSIGNAL);
        if (count < 0) break;
        stream->requestSent += (size_t)count;
    }
}

static void forward(struct stream *stream) {
    size_t room = stream->fieldsLength + sizeof stream->path + 512;
    char *head = malloc(room + stream->requestLength);
    int length = snprintf(head, room, "%s %s HTTP/1.1\r\nhost: %s\r\n%.*s\r\n", stream->method, stream->path,
                          stream->authority, (int)stream->fieldsLength, stream->fields);
    if (stream->requestLength) memcpy(head + length, stream->request, stream->requestLength);
    free(stream->request);
    stream->request = head;
    stream->requestLength += (size_t)length;
    struct origin *origin = idle;
    if (origin) {
        idle = origin->nextIdle;
    } else {
        origin = calloc(1, sizeof *origin);
        origin->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)originPort),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int result = connect(origin->descriptor, (struct sockaddr *)&address, sizeof address);
        if (result && errno != EINPROGRESS) stop("connect");
        watch(origin, EPOLL_CTL_ADD);
    }
    origin->stream = stream;
    origin->headLength = 0;
    stream->origin = origin;
    if (origin->isConnected) {
        send_request(origin);
        watch(origin, EPOLL_CTL_MOD);
    }
}

static void close_origin(struct origin *origin) {
    close(origin->descriptor);
    free(origin);
}

static void release_origin(struct origin *origin) {
    origin->stream = NULL;
    origin->isPaused = false;
    origin->nextIdle = idle;
    idle = origin;
    watch(origin, EPOLL_CTL_MOD);
}

static nghttp3_ssize hand_body(nghttp3_conn *http, int64_t id, nghttp3_vec *pieces, size_t count, uint32_t *flags,
                               void *unused, void *data) {
    (void)http, (void)id, (void)count, (void)unused;
    struct stream *stream = data;
    if (stream->handed == stream->end) {
        if (!stream->isEnded) return NGHTTP3_ERR_WOULDBLOCK;
        *flags |= NGHTTP3_DATA_FLAG_EOF;
        return 0;
    }
    pieces[0] = (nghttp3_vec){(uint8_t *)stream->body + stream->handed, stream->end - stream->handed};
    stream->handed = stream->end;
    if (stream->isEnded) *flags |= NGHTTP3_DATA_FLAG_EOF;
    return 1;
}

static void answer(struct stream *stream, char *head) {
    nghttp3_nv fields[100];
    size_t count = 0;
    memcpy(stream->status, strlen(head) > 12 ? head + 9 : "502", 3);
    fields[count++] = (nghttp3_nv){(uint8_t *)":status", (uint8_t *)stream->status, 7, 3, 0};
    stream->origin->left = 0;
    char *line = strstr(head, "\r\n");
    while (line && line[2] && count < 100) {
        line += 2;
        char *end = strstr(line, "\r\n"), *colon = strchr(line, ':');
        if (!end || !colon || colon > end) break;
        for (char *at = line; at < colon; at++)
            if (*at >= 'A' && *at <= 'Z') *at += 32;
        char *value = colon + 1;
        while (*value == ' ') value++;
        size_t length = (size_t)(colon - line);
        if (length == 14 && memcmp(line, "content-length", 14) == 0) stream->origin->left = strtoull(value, NULL, 10);
        if (length != 10 || (memcmp(line, "connection", 10) && memcmp(line, "keep-alive", 10)))
            fields[count++] = (nghttp3_nv){(uint8_t *)line, (uint8_t *)value, length, (size_t)(end - value), 0};
        line = end;
    }
    nghttp3_data_reader reader = {hand_body};
    nghttp3_conn_submit_response(stream->connection->http, stream->id, fields, count, &reader);
}

static void end_response(struct stream *stream) {
    stream->isEnded = true;
    release_origin(stream->origin);
    stream->origin = NULL;
    nghttp3_conn_resume_stream(stream->connection->http, stream->id);
}

static void read_origin(struct origin *origin) {
    struct stream *stream = origin->stream;
    if (!stream) {  // an idle connection was closed, or a stream was reset
        for (struct origin **at = &idle; *at; at = &(*at)->nextIdle)
            if (*at == origin) { *at = origin->nextIdle; break; }
        close_origin(origin);
        return;
    }
    if (!stream->status[0]) {
        size_t room = HEAD_ROOM - 1 - origin->headLength;
        ssize_t count = recv(origin->descriptor, origin->head + origin->headLength, room, 0);
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) { stream->isReset = true; stream->origin = NULL; close_origin(origin); return; }
        origin->headLength += (size_t)count;
        origin->head[origin->headLength] = 0;
        char *end = strstr(origin->head, "\r\n\r\n");
        if (!end) return;
        size_t used = (size_t)(end + 4 - origin->head);
        end[2] = 0;
        answer(stream, origin->head);
        stream->body = malloc(BODY_ROOM);
        stream->end = origin->headLength - used;
        memcpy(stream->body, origin->head + used, stream->end);
        origin->left -= stream->end;
    }
    while (origin->left) {
        if (stream->acked == stream->end) stream->acked = stream->handed = stream->end = 0;
        if (stream->end == BODY_ROOM) {
            origin->isPaused = true;
            watch(origin, EPOLL_CTL_MOD);
            break;
        }
        ssize_t count = recv(origin->descriptor, stream->body + stream->end, BODY_ROOM - stream->end, 0);
        if (count < 0 && errno == EAGAIN) break;
        if (count <= 0) { stream->isReset = true; stream->origin = NULL; close_origin(origin); return; }
        stream->end += (size_t)count;
        origin->left -= (size_t)count;
    }
    if (origin->left == 0) end_response(stream);
    else nghttp3_conn_resume_stream(stream->connection->http, stream->id);
}

// MARK: - HTTP/3

static int take_field(nghttp3_conn *http, int64_t id, int32_t token, nghttp3_rcbuf *name, nghttp3_rcbuf *value,
                      uint8_t flags, void *unused, void *data) {
    (void)http, (void)id, (void)flags, (void)unused;
    struct stream *stream = data;
    nghttp3_vec n = nghttp3_rcbuf_get_buf(name), v = nghttp3_rcbuf_get_buf(value);
    char *place = token == NGHTTP3_QPACK_TOKEN__METHOD ? stream->method
        : token == NGHTTP3_QPACK_TOKEN__PATH ? stream->path
        : token == NGHTTP3_QPACK_TOKEN__AUTHORITY ? stream->authority : NULL;
    size_t room = place == stream->method ? sizeof stream->method : place == stream->path ? sizeof stream->path
        : sizeof stream->authority;
    if (place) snprintf(place, room, "%.*s", (int)v.len, (char *)v.base);
    else if (n.len && n.base[0] != ':' && stream->fieldsLength + n.len + v.len + 5 < sizeof stream->fields)
        stream->fieldsLength += (size_t)sprintf(stream->fields + stream->fieldsLength, "%.*s: %.*s\r\n", (int)n.len,
                                                (char *)n.base, (int)v.len, (char *)v.base);
    return 0;
}

static int take_body(nghttp3_conn *http, int64_t id, const uint8_t *bytes, size_t count, void *unused, void *data) {
    (void)http, (void)id, (void)unused;
    struct stream *stream = data;
    stream->request = realloc(stream->request, stream->requestLength + count);
    memcpy(stream->request + stream->requestLength, bytes, count);
    stream->requestLength += count;
    return 0;
}

static int end_request(nghttp3_conn *http, int64_t id, void *unused, void *data) {
    (void)http, (void)id, (void)unused;
    struct stream *stream = data;
    stream->isWhole = true;
    forward(stream);
    return 0;
}

static int begin_request(nghttp3_conn *http, int64_t id, void *data, void *unused) {
    (void)unused;
    for (struct stream *stream = ((struct connection *)data)->streams; stream; stream = stream->next)
        if (stream->id == id) nghttp3_conn_set_stream_user_data(http, id, stream);
    return 0;
}

static int acknowledge(nghttp3_conn *http, int64_t id, uint64_t count, void *unused, void *data) {
    (void)http, (void)id, (void)unused;
    struct stream *stream = data;
    stream->acked += count;
    if (stream->origin && stream->origin->isPaused && stream->acked == stream->end) {
        stream->origin->isPaused = false;
        watch(stream->origin, EPOLL_CTL_MOD);
    }
    return 0;
}

static struct stream *add_stream(struct connection *connection, SSL *ssl) {
    struct stream *stream = calloc(1, sizeof *stream);
    stream->ssl = ssl;
    stream->id = (int64_t)SSL_get_stream_id(ssl);
    stream->connection = connection;
    stream->next = connection->streams;
    connection->streams = stream;
    SSL_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    return stream;
}

static struct stream *find_stream(struct connection *connection, int64_t id) {
    struct stream *stream = connection->streams;
    while (stream && stream->id != id) stream = stream->next;
    return stream;
}

static void accept_connection(SSL *ssl) {
    struct connection *connection = calloc(1, sizeof *connection);
    connection->ssl = ssl;
    connection->next = connections;
    connections = connection;
    SSL_set_blocking_mode(ssl, 0);
    SSL_set_default_stream_mode(ssl, SSL_DEFAULT_STREAM_MODE_NONE);
    SSL_set_incoming_stream_policy(ssl, SSL_INCOMING_STREAM_POLICY_ACCEPT, 0);
    nghttp3_callbacks callbacks = {.begin_headers = begin_request, .recv_header = take_field, .recv_data = take_body,
                                   .end_stream = end_request, .acked_stream_data = acknowledge};
    nghttp3_settings settings;
    nghttp3_settings_default(&settings);
    if (nghttp3_conn_server_new(&connection->http, &callbacks, &settings, NULL, connection)) stop("nghttp3");
    nghttp3_conn_set_max_client_streams_bidi(connection->http, 100);
}

/// The three streams of the server can begin once the client's parameters are known.
static bool open_streams(struct connection *connection) {
    int64_t ids[3];
    for (int at = 0; at < 3; at++) {
        SSL *ssl = SSL_new_stream(connection->ssl, SSL_STREAM_FLAG_UNI | SSL_STREAM_FLAG_NO_BLOCK);
        if (!ssl) return false;
        struct stream *stream = add_stream(connection, ssl);
        stream->isRead = true;
        ids[at] = stream->id;
    }
    return nghttp3_conn_bind_control_stream(connection->http, ids[0]) == 0
        && nghttp3_conn_bind_qpack_streams(connection->http, ids[1], ids[2]) == 0;
}

static void read_stream(struct stream *stream) {
    static unsigned char bytes[16384];
    for (;;) {
        size_t count = 0;
        bool isRead = SSL_read_ex(stream->ssl, bytes, sizeof bytes, &count) == 1;
        bool isEnd = SSL_get_stream_read_state(stream->ssl) == SSL_STREAM_STATE_FINISHED;
        if (!isRead && !isEnd) {
            if (SSL_get_stream_read_state(stream->ssl) == SSL_STREAM_STATE_RESET_REMOTE) stream->isRead = true;
            return;
        }
        if (isEnd) stream->isRead = true;
        nghttp3_ssize used = nghttp3_conn_read_stream(stream->connection->http, stream->id, bytes, count, isEnd);
        if (used < 0) { stream->connection->isBroken = true; return; }
        if (isEnd) return;
    }
}

static void write_streams(struct connection *connection) {
    for (;;) {
        int64_t id = -1;
        int isLast = 0;
        nghttp3_vec pieces[16];
        nghttp3_ssize count = nghttp3_conn_writev_stream(connection->http, &id, &isLast, pieces, 16);
        if (count < 0) { connection->isBroken = true; return; }
        if (id < 0) return;
        struct stream *stream = find_stream(connection, id);
        size_t sent = 0;
        bool isBlocked = !stream;
        for (nghttp3_ssize at = 0; at < count && !isBlocked; at++) {
            size_t written = 0;
            uint64_t flags = isLast && at == count - 1 ? SSL_WRITE_FLAG_CONCLUDE : 0;
            if (SSL_write_ex2(stream->ssl, pieces[at].base, pieces[at].len, flags, &written) != 1) written = 0;
            sent += written;
            isBlocked = written < pieces[at].len;
        }
        if (count == 0 && isLast && stream) SSL_stream_conclude(stream->ssl, 0);
        nghttp3_conn_add_write_offset(connection->http, id, sent);
        if (isBlocked) nghttp3_conn_block_stream(connection->http, id);
        // libssl has copied the bytes, so the buffer may be used anew.
        if (sent) nghttp3_conn_add_ack_offset(connection->http, id, sent);
    }
}

static void free_stream(struct stream *stream) {
    if (stream->origin) {
        stream->origin->stream = NULL;
        close_origin(stream->origin);
    }
    SSL_free(stream->ssl);
    free(stream->request);
    free(stream->body);
    free(stream);
}

static bool serve(struct connection *connection) {
    if (!connection->streams && SSL_is_init_finished(connection->ssl) && !open_streams(connection)) return true;
    SSL *ssl;
    while ((ssl = SSL_accept_stream(connection->ssl, SSL_ACCEPT_STREAM_NO_BLOCK))) add_stream(connection, ssl);
    for (struct stream *stream = connection->streams, *next; stream; stream = next) {
        next = stream->next;
        if (!stream->isRead) read_stream(stream);
        if (stream->end > stream->acked || stream->isEnded) nghttp3_conn_unblock_stream(connection->http, stream->id);
    }
    write_streams(connection);
    for (struct stream **at = &connection->streams; *at;) {
        struct stream *stream = *at;
        bool isDone = stream->isEnded && stream->acked == stream->end
            && SSL_get_stream_write_state(stream->ssl) != SSL_STREAM_STATE_OK;
        if (stream->isReset) {
            SSL_STREAM_RESET_ARGS arguments = {NGHTTP3_H3_INTERNAL_ERROR};
            SSL_stream_reset(stream->ssl, &arguments, sizeof arguments);
        }
        if (isDone || stream->isReset) {
            *at = stream->next;
            nghttp3_conn_close_stream(connection->http, stream->id, NGHTTP3_H3_NO_ERROR);
            free_stream(stream);
        } else {
            at = &stream->next;
        }
    }
    ERR_clear_error();
    SSL_CONN_CLOSE_INFO info;
    return !connection->isBroken && SSL_get_conn_close_info(connection->ssl, &info, sizeof info) != 1;
}

static void serve_all(SSL *listener) {
    SSL *ssl;
    while ((ssl = SSL_accept_connection(listener, SSL_ACCEPT_CONNECTION_NO_BLOCK))) accept_connection(ssl);
    for (struct connection **at = &connections; *at;) {
        struct connection *connection = *at;
        if (serve(connection)) {
            at = &connection->next;
            continue;
        }
        *at = connection->next;
        nghttp3_conn_del(connection->http);
        for (struct stream *stream = connection->streams, *next; stream; stream = next) {
            next = stream->next;
            free_stream(stream);
        }
        SSL_free(connection->ssl);
        free(connection);
    }
}

int main(int count, char **arguments) {
    if (count != 5) {
        fprintf(stderr, "usage: http3 CA.pem CA-KEY.pem UDP-PORT ORIGIN-PORT\n");
        return 2;
    }
    originPort = atoi(arguments[4]);
    FILE *file = fopen(arguments[1], "r");
    authority = file ? PEM_read_X509(file, NULL, NULL, NULL) : NULL;
    file = fopen(arguments[2], "r");
    authorityKey = file ? PEM_read_PrivateKey(file, NULL, NULL, NULL) : NULL;
    leafKey = EVP_EC_gen("P-256");
    SSL_CTX *context = SSL_CTX_new(OSSL_QUIC_server_method());
    if (!authority || !authorityKey || !context) stop("CA");
    SSL_CTX_set_cert_cb(context, chooseCertificate, NULL);
    SSL_CTX_set_alpn_select_cb(context, chooseProtocol, NULL);

    int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int room = 4 << 20;
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[3])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address)) stop("bind");
    SSL *listener = SSL_new_listener(context, 0);
    if (!listener || !SSL_set_fd(listener, descriptor) || !SSL_set_blocking_mode(listener, 0) || !SSL_listen(listener))
        stop("listen");
    poller = epoll_create1(EPOLL_CLOEXEC);
    epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &(struct epoll_event){.events = EPOLLIN, .data.ptr = NULL});
    for (;;) {
        struct timeval timeout;
        int isInfinite = 1, milliseconds = -1;
        if (SSL_get_event_timeout(listener, &timeout, &isInfinite) == 1 && !isInfinite)
            milliseconds = (int)(timeout.tv_sec * 1000 + (timeout.tv_usec + 999) / 1000);
        struct epoll_event events[64];
        int ready = epoll_wait(poller, events, 64, milliseconds);
        for (int at = 0; at < ready; at++) {
            struct origin *origin = events[at].data.ptr;
            if (!origin) continue;
            if (events[at].events & EPOLLOUT) {
                origin->isConnected = true;
                if (origin->stream) send_request(origin);
                watch(origin, EPOLL_CTL_MOD);
            }
            if (events[at].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) read_origin(origin);
        }
        SSL_handle_events(listener);
        serve_all(listener);
        SSL_handle_events(listener);
    }
}
