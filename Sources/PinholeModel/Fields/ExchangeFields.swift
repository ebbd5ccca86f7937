/// A field of exchanges.
package typealias ExchangeField = RecordField<ExchangeRecord>

/// The fields of exchanges, with one entry for each.
///
/// The order is that of the columns in the table `exchange`. A row is read in the same order, so an entry may refer to
/// earlier ones.
package enum ExchangeFields {
    /// All fields of exchanges, in the order of the columns.
    package static let all: [ExchangeField] = beginning + target + message + ending + answer + timing + marks

    /// The columns with a text of a message, which a redacted copy changes by its kind.
    package static let texts = all.compactMap(\.column).filter {
        [.value, .operations].contains($0.redacted)
    }

    private static let beginning: [ExchangeField] = [
        .init(
            "id",
            .number(.count) { $0.id.rawValue },
            column: .required("id", .number, in: FieldRange.ids, isKey: true) {
                $0.id = ExchangeID(rawValue: $1)
            },
            filter: .init(meaning: "the number of the exchange in lists", example: "id < 1000", stage: .end),
            order: .byValue,
            json: "id",
            export: "id",
            title: .init("#", "Number"),
            span: "pinhole.exchange.id"
        ),
        .init(
            "flow",
            .number(.count) { $0.flow.rawValue },
            column: .required("flow", .number, in: FieldRange.ids) { $0.flow = FlowID(rawValue: $1) },
            filter: .init(meaning: "the number of its flow", example: "flow == 12"),
            order: .byValue,
            json: "flow",
            title: "Flow",
            span: .init("pinhole.flow.id", of: .client)
        ),
        .init(
            "time",
            .number(.moment) { $0.timings.started.microseconds },
            column: .required("started", .number) { $0.timings.started = Timestamp(microseconds: $1) },
            filter: .init(
                meaning: "when the exchange began: a moment of RFC 3339, or a day in UTC, `2026-01-31`",
                example: "time >= 2026-01-31T12:00:00Z",
                stage: .end
            ),
            order: .byValue,
            json: "started",
            export: "started",
            title: "Time"
        ),
        .init(
            "method",
            .text { $0.method },
            column: .text("method", .method, isRequired: true) { $0.method = $1 },
            filter: .init(meaning: "the method, as it was sent", example: "method == POST", isFixed: true),
            order: .byValue,
            json: "method",
            export: "method",
            title: "Method"
        ),
    ]

    private static let target: [ExchangeField] = [
        .init(
            "scheme",
            .text { $0.scheme.rawValue },
            column: .required("scheme", .number, in: 0...1, get: { $0.scheme == .https ? 1 : 0 }) {
                $0.scheme = $1 == 1 ? .https : .http
            },
            filter: .init(
                meaning: "`https` or `http`",
                example: "scheme == http",
                sql: .expression("(CASE scheme WHEN 1 THEN 'https' ELSE 'http' END)"),
                values: [Scheme.https, .http].map(\.rawValue),
                isFixed: true
            ),
            order: .byValue,
            json: .listed("scheme", values: ["http", "https"]),
            title: "Scheme",
            span: "url.scheme"
        ),
        .stored(
            .text(
                "authority",
                .authority,
                isRequired: true,
                expected: "a host, with a port or without",
                get: { $0.authority.text(defaultPort: $0.scheme.defaultPort) }
            ) { $0.authority = try Authority($1, defaultPort: $0.scheme.defaultPort) }
        ),
        .init(
            "host",
            .text { $0.authority.host.description },
            filter: .init(
                meaning: "the host that the client asked for, without the port",
                example: "host == api.example.com",
                sql: .host,
                isHostName: true,
                isFixed: true
            ),
            order: .by("authority", .host),
            json: .listed("host"),
            title: "Host"
        ),
        .init(
            "port",
            .number(.count) { Int64($0.authority.port) },
            filter: .init(meaning: "the port that the client asked for", example: "port == 8443", sql: .port),
            order: .byValue,
            json: .listed("port"),
            title: "Port"
        ),
        .init(
            "target",
            .text { $0.path },
            column: .text("path", .path, isRequired: true) { $0.path = $1 },
            json: .listed("path")
        ),
        .init(
            "path",
            .text { String($0.path.prefix { $0 != "?" }) },
            filter: .init(
                meaning: "the path, which ends before `?`",
                example: "path ~ /api/*/items",
                sql: .part(
                    "(CASE WHEN instr(path, '?') THEN substr(path, 1, instr(path, '?') - 1) ELSE path END)",
                    of: "path",
                    isBeginning: true
                ),
                isFixed: true
            ),
            order: .by("path"),
            title: "Path"
        ),
        .init(
            "query",
            .text { record in
                record.path.firstIndex(of: "?").map { String(record.path[record.path.index(after: $0)...]) }
            },
            filter: .init(
                meaning: "the query, without `?`",
                example: "query contains page=2",
                sql: .part(
                    "(CASE WHEN instr(path, '?') THEN substr(path, instr(path, '?') + 1) END)",
                    of: "path",
                    isBeginning: false
                ),
                until: .always,
                isFixed: true
            )
        ),
        .init(
            "url",
            .text { $0.url },
            filter: .init(
                meaning: "the URL, without the default port of its scheme",
                example: "url contains /login",
                sql: .url,
                isFixed: true
            ),
            order: .byValue,
            json: "url",
            export: "url",
            title: "URL"
        ),
    ]

    private static let message: [ExchangeField] = [
        .init(
            "status",
            .number(.status) { $0.status.map(Int64.init) },
            column: .optional("status", .number) { $0.status = Int($1) },
            filter: .init(
                meaning: "the status of the response; also `status == 400-499`",
                example: "status == 4xx",
                until: .over,
                stage: .response
            ),
            order: .byValue,
            json: "status",
            export: "status",
            title: "Status",
            span: "http.response.status_code"
        ),
        .stored(
            .required("state", .number, get: { ExchangeState($0).rawValue }) {
                ExchangeState(rawValue: $1).set(on: &$0)
            }
        ),
        .init(
            "messages",
            .number(.count) { $0.messages },
            column: .counted(
                "messages",
                .number,
                by: """
                    CASE WHEN notes & \(NoteBits.bits([.webSocket])) THEN \
                    (SELECT count(*) FROM message WHERE message.exchange = exchange.id) ELSE 0 END
                    """
            ) { $0.messages = $1 },
            filter: .init(
                meaning: "the number of messages of a WebSocket",
                example: "messages > 10",
                sql: .elsewhere,
                growth: .over,
                stage: .end
            )
        ),
        .init(
            "webSocketMessages",
            .number(.count) { $0.notes.contains(.webSocket) ? $0.messages : nil },
            json: FieldJSON("messages", "The number of messages of a WebSocket."),
            span: .init("pinhole.websocket.messages", of: .client)
        ),
        .init(
            "webSocketBytes",
            .number(.bytes) { $0.notes.contains(.webSocket) ? $0.messageBytes : nil },
            column: .counted(
                "message_bytes",
                .number,
                by: """
                    CASE WHEN notes & \(NoteBits.bits([.webSocket])) THEN (SELECT \
                    CAST(min(total(max(length, 0)), 1e15) AS INTEGER) FROM message WHERE message.exchange = exchange.id) ELSE 0 END
                    """
            ) { $0.messageBytes = $1 },
            json: FieldJSON("messageBytes", "The bytes of the messages of a WebSocket, as they were sent.")
        ),
        .init(
            "size",
            .number(.bytes) { $0.request.body.length + ($0.response?.body.length ?? 0) },
            filter: .init(
                meaning: "both bodies, as they were sent; B, kB, MB, GB, KiB, MiB, GiB",
                example: "size > 1MB",
                sql: .expression("(request_length + response_length)"),
                growth: .complete([.requestComplete, .responseComplete]),
                stage: .end
            ),
            order: .byValue
        ),
        .init(
            "request.size",
            .number(.bytes) { $0.request.body.length },
            column: .required("request_length", .number, in: FieldRange.lengths) {
                $0.request.body.length = $1
            },
            filter: .init(
                meaning: "the body of the request, as it was sent",
                example: "request.size > 10kB",
                growth: .complete(.requestComplete),
                stage: .end
            ),
            order: .byValue,
            json: "requestBytes",
            export: "requestBytes",
            title: .init("Sent", "Size of the request", id: "sent"),
            span: "http.request.body.size"
        ),
        .stored(
            .required(
                "request_captured",
                .number,
                in: FieldRange.lengths,
                get: { $0.request.body.capturedLength }
            ) {
                $0.request.body.capturedLength = $1
            }
        ),
        .init(
            "response.size",
            .number(.bytes) { $0.response?.body.length },
            column: .required(
                "response_length",
                .number,
                in: FieldRange.lengths,
                get: { $0.response?.body.length ?? 0 }
            ) {
                $0.response?.body.length = $1
            },
            filter: .init(
                meaning: "the body of the response, as it was sent",
                example: "response.size > 1MiB",
                sql: .expression(
                    "(CASE WHEN state & \(ExchangeState.hasResponse.rawValue) THEN response_length END)"
                ),
                until: .over,
                growth: .complete(.responseComplete),
                stage: .end
            ),
            order: .byValue,
            json: "responseBytes",
            export: "responseBytes",
            title: .init("Size", "Size of the response", id: "size"),
            span: "http.response.body.size"
        ),
        .stored(
            .required(
                "response_captured",
                .number,
                in: FieldRange.lengths,
                get: { $0.response?.body.capturedLength ?? 0 }
            ) {
                $0.response?.body.capturedLength = $1
            }
        ),
    ]

    private static let answer: [ExchangeField] = [
        .init(
            "grpc.status",
            .number(.count) { record in
                guard case .grpc(let code) = record.protocolStatus else { return nil }
                return code ?? ProtocolStatus.unknownStatus
            },
            filter: .init(
                meaning: "the status of a call of gRPC; 0 is success, and 2 stands for none",
                example: "grpc.status != 0",
                sql: .expression(ExchangeState.grpcSQL),
                until: .over,
                stage: .end
            ),
            json: FieldJSON("grpcStatus", "The status of a call of gRPC; 2 if none came.")
        ),
        .init(
            "graphql.errors",
            .number(.count) { if case .graphQL(let errors) = $0.protocolStatus { errors } else { nil } },
            filter: .init(
                meaning: "the number of errors in a response of GraphQL",
                example: "graphql.errors > 0",
                sql: .expression(ExchangeState.graphQLSQL),
                until: .over,
                stage: .end
            ),
            json: FieldJSON("graphqlErrors", "The number of errors in the response of GraphQL.")
        ),
        .init(
            "websocket.close",
            .number(.count) { if case .webSocket(let code) = $0.protocolStatus { code } else { nil } },
            filter: .init(
                meaning:
                    "the code of the first close frame of a WebSocket; 1005 if the frame has none, 1006 without a frame",
                example: "websocket.close == 1011",
                sql: .expression(ExchangeState.webSocketSQL),
                until: .over,
                stage: .end
            ),
            json: FieldJSON("webSocketClose", "The code of the first close frame of a WebSocket.")
        ),
        .init(
            "protocol.error",
            .text { $0.protocolStatus?.trouble },
            json: FieldJSON("protocolError", "The error of gRPC, GraphQL or a WebSocket, in words.")
        ),
        .init(
            "response.server",
            .text { $0.responseServer },
            column: .text("response_server", .value) { $0.responseServer = $1 },
            filter: .init(
                meaning: "the Server header of the response",
                example: "response.server contains nginx",
                until: .answered,
                stage: .response
            ),
            order: .byValue,
            json: FieldJSON("responseServer", "The Server header of the response."),
            export: "responseServer",
            title: .init("Server", "Server software")
        ),
        .init(
            "graphql",
            .text { $0.graphQL },
            column: .text("graphql", .operations) { $0.graphQL = $1 },
            order: .byValue,
            json: FieldJSON(
                "graphql",
                "The types and names of the operations of GraphQL in the request, such as `mutation Pay`."
            ),
            export: "graphql",
            title: .init("GraphQL", "GraphQL operation")
        ),
    ]

    private static let ending: [ExchangeField] = [
        .init(
            "duration",
            .number(.duration) { record in
                record.timings.ended.map { ($0 - record.timings.started).microseconds }
            },
            column: .optional("ended", .number) { $0.timings.ended = $0.timings.started + .microseconds($1) },
            filter: .init(
                meaning: "from the first byte of the request to the end; us, ms, s, min, h",
                example: "duration > 500ms",
                until: .over,
                stage: .end
            ),
            order: .byValue,
            json: "milliseconds",
            export: "milliseconds",
            title: "Duration"
        ),
        .init(
            "outcome",
            .text { $0.outcome?.kind.rawValue },
            column: .optional("outcome", .number, get: { $0.outcome?.kind.code }) {
                $0.outcome = ExchangeOutcome(ExchangeOutcome.Kind(code: $1), "")
            },
            filter: .init(
                meaning: "the end of the exchange: `completed`, `abortedByClient` … (docs/COMMANDS.md#json)",
                example: "outcome == abortedByClient",
                sql: .expression(ExchangeOutcome.Kind.names),
                until: .over,
                stage: .end,
                values: ExchangeOutcome.Kind.allCases.map(\.rawValue)
            ),
            order: .byValue,
            json: "outcome",
            export: "outcome",
            span: .init("pinhole.outcome", of: .client)
        ),
        .init(
            "standing",
            .text { $0.standing?.rawValue },
            filter: .init(
                meaning: "the result: `completed`, `failed`, `broken`, `relayed`, `spare`, `stopped`",
                example: "standing == broken",
                sql: .expression(StandingSQL.ofExchange),
                until: .over,
                stage: .end,
                values: [Standing.completed, .failed, .broken].map(\.rawValue)
            ),
            json: FieldJSON("standing", "The result.", values: Standing.allCases.map(\.rawValue))
        ),
        .init(
            "error",
            .text { $0.outcome?.detail },
            column: .text("detail", .token) { record, detail in
                record.outcome = record.outcome.map { ExchangeOutcome($0.kind, detail) }
            },
            filter: .init(
                meaning: "why it failed",
                example: "error contains refused",
                sql: .expression(
                    "(CASE WHEN outcome <> \(ExchangeOutcome.Kind.completed.code) THEN coalesce(detail, '') END)"
                ),
                until: .over,
                stage: .end
            ),
            json: "detail"
        ),
        .init(
            "cause",
            .text { $0.cause },
            filter: .init(
                meaning: "why it failed, in the few words of a list",
                example: "cause contains pinned",
                sql: .elsewhere,
                until: .over,
                stage: .end
            ),
            json: FieldJSON("cause", "Why it failed, in a few words; missing if the status says it."),
            title: "Cause"
        ),
        .init("remedy", .text { $0.remedy }, json: FieldJSON("remedy", "What to do.")),
    ]

    private static let timing: [ExchangeField] = [
        .init(
            "firstbyte",
            .number(.duration) { record in
                record.timings.responseStarted.map { ($0 - record.timings.started).microseconds }
            },
            column: .optional("response_started", .number) {
                $0.timings.responseStarted = $0.timings.started + .microseconds($1)
            },
            filter: .init(
                meaning: "from the first byte of the request to the first byte of the response",
                example: "firstbyte > 1s",
                until: .over,
                stage: .end
            ),
            order: .byValue,
            span: .init("pinhole.time.first_byte", of: .server)
        ),
        .init(
            "blocked",
            .number(.duration) { $0.timings.blocked?.microseconds },
            column: .optional("blocked", .number) { $0.timings.blocked = .microseconds($1) },
            filter: .init(
                meaning: "the time in the queue; unknown if there was none",
                example: "blocked > 10ms",
                until: .over,
                stage: .end
            ),
            order: .byValue,
            span: .init("pinhole.time.blocked", of: .server)
        ),
        .init(
            "resolve",
            .number(.duration) { $0.timings.resolve?.microseconds },
            column: .optional("resolve", .number) { $0.timings.resolve = .microseconds($1) },
            filter: .init(
                meaning: "the look-up of the name; unknown if there was none",
                example: "resolve > 1s",
                until: .over,
                stage: .end
            ),
            order: .byValue,
            span: .init("pinhole.time.resolve", of: .server)
        ),
        .init(
            "connect",
            .number(.duration) { $0.timings.connect?.microseconds },
            column: .optional("connect", .number) { $0.timings.connect = .microseconds($1) },
            filter: .init(
                meaning: "until the TCP connection was open; unknown if there was none",
                example: "connect > 100ms",
                until: .over,
                stage: .end
            ),
            order: .byValue,
            span: .init("pinhole.time.connect", of: .server)
        ),
        .init(
            "tls.time",
            .number(.duration) { $0.timings.tls?.microseconds },
            column: .optional("tls", .number) { $0.timings.tls = .microseconds($1) },
            filter: .init(
                meaning: "the TLS handshake with the server; unknown if there was none",
                example: "tls.time > 100ms",
                until: .over,
                stage: .end
            ),
            order: .byValue,
            span: .init("pinhole.time.tls", of: .server)
        ),
        .stored(
            .optional(
                "request_ended",
                .number,
                get: { record in
                    record.timings.requestEnded.map { ($0 - record.timings.started).microseconds }
                }
            ) { $0.timings.requestEnded = $0.timings.started + .microseconds($1) }
        ),
    ]

    private static let marks: [ExchangeField] = [
        .init(
            "notes",
            .texts { $0.notes.map(\.rawValue) },
            column: .required("notes", .number, get: { $0.notes.isEmpty ? 0 : NoteBits.bits($0.notes) }) {
                $0.notes = NoteBits.notes($1)
            },
            json: FieldJSON(
                "notes",
                "Actions of the proxy beyond passing the messages on.",
                values: ExchangeNote.allCases.map(\.rawValue)
            ),
            title: "Notes",
            span: .init("pinhole.notes", of: .client)
        ),
        .init(
            "rules",
            .object(.ruleHits, { $0.rules.isEmpty ? nil : $0.rules }),
            json: FieldJSON("rules", "The rules that acted, in their order; of one exchange, not in lists.")
        ),
        .init(
            "proxy.user",
            .text { $0.proxyUser },
            column: .text("proxy_user", .token) { $0.proxyUser = $1 },
            filter: .init(
                meaning: "the user who logged in to the proxy (docs/LISTENERS.md#whose-traffic-it-is)",
                example: "proxy.user == anna",
                until: .over
            ),
            order: .byValue,
            json: FieldJSON("proxyUser", "The user who logged in to the proxy, where somebody has to."),
            export: "proxyUser",
            title: .init("User", "Proxy user", id: "user")
        ),
    ]
}
