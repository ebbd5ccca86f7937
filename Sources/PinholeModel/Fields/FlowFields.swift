/// A field of flows.
package typealias FlowField = RecordField<FlowRecord>

/// The fields of flows, with one entry for each.
///
/// The order is that of the columns in the table `flow`, which ends with the whole record as JSON. Records of flows are
/// read from that JSON. Only fields that exchanges show as well (`isJoined`) are read from their columns.
package enum FlowFields {
    /// All fields of flows, in the order of the columns.
    package static let all: [FlowField] = beginning + target + connection + client + ending

    /// The fields that exchanges show of their flow; fields whose name an exchange has itself are left out.
    package static let joined = all.filter { field in
        field.isJoined && !ExchangeFields.all.contains { $0.name == field.name }
    }

    private static let beginning: [FlowField] = [
        .init(
            "id",
            .number(.count) { $0.id.rawValue },
            column: .required("id", .number, in: FieldRange.ids, isKey: true, set: nil),
            filter: .same(),
            order: .byValue,
            json: "id",
            export: "id",
            span: "pinhole.flow.id"
        ),
        .init(
            "flow",
            .number(.count) { $0.id.rawValue },
            filter: .same(sql: .expression("id")),
            order: .byValue
        ),
        .init(
            "time",
            .number(.moment) { $0.opened.microseconds },
            column: .required("opened", .number, set: nil),
            filter: .same(),
            order: .byValue,
            json: "opened",
            export: "started"
        ),
        .init(
            "closed",
            .number(.moment) { $0.closed?.microseconds },
            column: .optional("closed", .number, set: nil),
            json: "closed"
        ),
        .init(
            "duration",
            .number(.duration) { record in record.closed.map { ($0 - record.opened).microseconds } },
            filter: .same(sql: .expression("(closed - opened)"), until: .over),
            order: .byValue,
            export: "milliseconds"
        ),
    ]

    private static let target: [FlowField] = [
        .init("method", .text { _ in "CONNECT" }, export: "method"),
        .init("target", .text { _ in "" }, json: .listed("path")),
        .init(
            "authority",
            .text { $0.authority },
            column: .text("authority", .authority, set: nil),
            json: "authority",
            export: "url"
        ),
        .init("url", .text { $0.authority }, order: .by("authority")),
        .init(
            "host",
            .text { $0.target?.host.description },
            filter: .same(sql: .host, until: .over),
            order: .by("authority", .host),
            json: .listed("host")
        ),
        .init(
            "port",
            .number(.count) { ($0.target?.port).map(Int64.init) },
            filter: .same(sql: .port, until: .over),
            order: .byValue,
            json: .listed("port")
        ),
        .init(
            "server",
            .text { $0.server },
            filter: .init(
                meaning: "the server's address and port",
                example: "server endswith :8443",
                sql: .elsewhere,
                until: .over
            ),
            json: "server"
        ),
        .init(
            "destination",
            .texts { [$0.server, $0.authority].compactMap(\.self) },
            filter: .init(
                meaning: "the server's address, and the host that the client asked for",
                example: "destination matches 192.0.2",
                sql: .elsewhere,
                until: .connected,
                isHostName: true
            )
        ),
        .init("nextHop", .text { $0.nextHop }, json: "nextHop", span: "pinhole.next_hop"),
        .init(
            "treatment",
            .text { $0.treatment?.rawValue },
            column: .text("treatment", .words(Treatment.allCases.map(\.rawValue)), set: nil),
            filter: .init(
                meaning: "the treatment of the tunnel: `intercepted`, `passedThrough` …",
                example: "treatment == passedThrough",
                until: .over,
                values: Treatment.allCases.map(\.rawValue)
            ),
            json: FieldJSON("treatment", values: Treatment.allCases.map(\.rawValue)),
            span: "pinhole.treatment"
        ),
        .init("reason", .text { $0.reason }, json: FieldJSON("reason", "Why the tunnel was treated so.")),
    ]

    private static let connection: [FlowField] = [
        .init(
            "sni",
            .text { $0.clientHello?.serverName },
            filter: .init(
                meaning: "the server name in the client's TLS handshake",
                example: "sni == api.example.com",
                sql: .elsewhere,
                until: .greeted,
                isHostName: true
            )
        ),
        .init(
            "alpn",
            .texts { $0.handshakes.compactMap(\.applicationProtocol) },
            filter: .init(
                meaning: "the protocol that a TLS handshake agreed on",
                example: "alpn == h2",
                sql: .elsewhere,
                until: .secured
            )
        ),
        .init(
            "tls.version",
            .texts { $0.handshakes.compactMap(\.version) },
            filter: .init(
                meaning: "the version of TLS, with the client or the server",
                example: "tls.version == TLSv1.2",
                sql: .elsewhere,
                until: .secured,
                usualValues: ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"]
            )
        ),
        .init(
            "tls.cipher",
            .texts { $0.handshakes.compactMap(\.cipher) },
            filter: .init(
                meaning: "the cipher suite, with the client or the server",
                example: "tls.cipher contains CHACHA20",
                sql: .elsewhere,
                until: .secured
            )
        ),
        .init(
            "tls.group",
            .text { $0.clientHandshake?.group },
            column: .text("tls_group", .tls) { record, group in
                var handshake = HandshakeRecord(peer: .client, started: record.opened, duration: .zero)
                handshake.group = group
                record.clientHandshake = handshake
            },
            filter: .init(
                meaning: "the group of the key exchange with the client, by its name at IANA",
                example: "tls.group == X25519MLKEM768",
                until: .over
            ),
            order: .byValue,
            json: FieldJSON("tlsGroup", "The group of the key exchange with the client."),
            export: "tlsGroup",
            title: .init("Group", "TLS group of the client"),
            isJoined: true
        ),
        .init(
            "tls.pq",
            .texts { KeyExchange($0)?.words ?? [] },
            filter: .init(
                meaning:
                    "where a post-quantum key exchange was offered or agreed on, and what the interception changed",
                example: "tls.pq == weakened",
                sql: .elsewhere,
                until: .secured,
                values: KeyExchange.allWords
            )
        ),
        .init(
            "tls.ja4",
            .text { $0.clientHello?.ja4 },
            column: .text("tls_ja4", .ja4) { record, ja4 in
                var hello = ClientHelloRecord()
                hello.ja4 = ja4
                record.clientHello = hello
            },
            filter: .init(
                meaning: "the client's fingerprint by FoxIO's JA4",
                example: "tls.ja4 startswith t13d",
                until: .over
            ),
            order: .byValue,
            json: FieldJSON("ja4", "The client's fingerprint by JA4."),
            export: "ja4",
            title: .init("JA4", "JA4 fingerprint of the client"),
            span: "pinhole.tls.client.ja4",
            isJoined: true
        ),
        .init(
            "tls.cause",
            .texts { $0.handshakes.compactMap { $0.failure?.cause.rawValue } },
            filter: .init(
                meaning: "why a TLS handshake failed (docs/TROUBLESHOOTING.md#the-tls-handshake-fails)",
                example: "tls.cause == authorityNotTrusted",
                sql: .elsewhere,
                until: .secured,
                values: HandshakeFailure.Cause.allCases.map(\.rawValue)
            )
        ),
        .init(
            "tls.alert",
            .texts { $0.alerts.flatMap { [$0.name, String($0.code)] } },
            filter: .init(
                meaning: "the TLS alert that ended a connection, by name or number",
                example: "tls.alert == unknown_ca",
                sql: .elsewhere,
                until: .secured,
                values: Alert.names.values.sorted() + (0...255).map(String.init)
            )
        ),
    ]

    private static let client: [FlowField] = [
        .init(
            "client",
            .text { $0.client },
            column: .text("client", .peer, isRequired: true) { $0.client = $1 },
            filter: .init(meaning: "the client's address and port", example: "client startswith 192.0.2."),
            order: .byValue,
            json: "client",
            title: "Client",
            isJoined: true
        ),
        .init(
            "pid",
            .number(.count) { ($0.clientProcess?.pid).map(Int64.init) },
            column: .optional("process_id", .empty, in: 0...Int64(Int32.max)) {
                $0.clientProcess = ClientProcess(pid: Int32($1), name: "", path: nil)
            },
            filter: .init(
                meaning: "the number of the client's process",
                example: "pid == 4711",
                until: .always,
                stage: .end
            ),
            isJoined: true
        ),
        .init(
            "process",
            .texts { [$0.clientProcess?.name, $0.clientProcess?.path].compactMap(\.self) },
            column: .text("process_name", .empty, get: { $0.clientProcess?.name }) {
                $0.clientProcess?.name = $1
            },
            filter: .init(
                meaning:
                    "the name and the file of the client's program (docs/LISTENERS.md#which-program-asked)",
                example: "process == curl",
                sql: .columns("process_name", "process_path"),
                until: .always,
                stage: .end
            ),
            order: .byValue,
            title: .init("Process", "Client process"),
            isJoined: true
        ),
        .stored(
            .text("process_path", .empty, get: { $0.clientProcess?.path }) { $0.clientProcess?.path = $1 },
            isJoined: true
        ),
        .init(
            "clientProcess",
            .object(.clientProcess, { $0.clientProcess }, text: { $0.clientProcess?.name }),
            json: FieldJSON(
                "clientProcess",
                "The program that made the connection, where it runs on this machine and was found out."
            ),
            export: "clientProcess",
            isJoined: true
        ),
        // A tunnel is treated only after the login.
        .init(
            "proxy.user",
            .text { $0.proxyUser },
            column: .text("proxy_user", .token, set: nil),
            filter: .same(until: .treated),
            order: .byValue,
            json: "proxyUser",
            export: "proxyUser",
            isJoined: true
        ),
        .init(
            "listenerKind",
            .text { $0.listenerKind?.rawValue },
            json: FieldJSON("listenerKind", values: ListenerKind.allCases.map(\.rawValue))
        ),
    ]

    private static let ending: [FlowField] = [
        .init(
            "outcome",
            .text { $0.outcome?.kind.rawValue },
            column: .text("outcome", .words(Outcome.Kind.allCases.map(\.rawValue)), set: nil),
            filter: .same(until: .over, values: Outcome.Kind.allCases.map(\.rawValue)),
            order: .byValue,
            json: "outcome",
            export: "outcome",
            span: "pinhole.outcome"
        ),
        .init(
            "standing",
            .text { $0.standing?.rawValue },
            filter: .same(
                sql: .expression(StandingSQL.ofFlow),
                until: .over,
                values: Standing.allCases.filter { $0 != .failed }.map(\.rawValue)
            ),
            json: FieldJSON("standing", "The result.", values: Standing.allCases.map(\.rawValue))
        ),
        .init("fault", .text { $0.outcome?.fault?.rawValue }, json: "fault"),
        .init("detail", .text { $0.outcome?.detail }, json: "detail"),
        .init(
            "error",
            .texts { record in
                guard record.isFailed else { return [] }
                return [record.outcome?.detail].compactMap(\.self)
                    + record.handshakes.compactMap(\.failure?.detail)
            },
            filter: .same(sql: .elsewhere, until: .over)
        ),
        .init("cause", .text { $0.cause }, filter: .same(sql: .elsewhere, until: .over), json: "cause"),
        .init("remedy", .text { $0.remedy }, json: "remedy"),
        .stored(.required("failed", .number, get: { $0.isFailed ? 1 : 0 }, set: nil)),
        .init(
            "exchanges",
            .number(.count) { Int64($0.exchanges) },
            column: .required("exchanges", .number, in: FieldRange.lengths, set: nil),
            json: "exchanges"
        ),
        .init(
            "size",
            .number(.bytes) { $0.bytesFromClient + $0.bytesFromServer },
            order: .by("(record ->> '$.flow.bytesFromClient' + record ->> '$.flow.bytesFromServer')")
        ),
        .init(
            "request.size",
            .number(.bytes) { $0.bytesFromClient },
            order: .by("(record ->> '$.flow.bytesFromClient')"),
            json: "bytesFromClient",
            export: "requestBytes"
        ),
        .init(
            "response.size",
            .number(.bytes) { $0.bytesFromServer },
            order: .by("(record ->> '$.flow.bytesFromServer')"),
            json: "bytesFromServer",
            export: "responseBytes"
        ),
    ]
}

extension FieldEnd where Record == FlowRecord {
    /// The end of the flow.
    package static var over: Self { FieldEnd("outcome IS NOT NULL") { $0.outcome != nil } }

    /// The decision about the treatment, or the end of the flow.
    fileprivate static var treated: Self {
        FieldEnd("(treatment IS NOT NULL OR outcome IS NOT NULL)") {
            $0.treatment != nil || $0.outcome != nil
        }
    }

    // SQL does not search for the fields below.

    /// The connection to the server, or the end of the flow.
    fileprivate static var connected: Self { FieldEnd("0") { $0.server != nil || $0.outcome != nil } }

    /// The client's ClientHello, or the end of the flow.
    fileprivate static var greeted: Self { FieldEnd("0") { $0.clientHello != nil || $0.outcome != nil } }

    /// The handshake with the client, after which a missing value is rarely added, or the end of the flow.
    fileprivate static var secured: Self {
        FieldEnd("0") { $0.clientHandshake != nil || $0.outcome != nil }
    }
}

extension FlowRecord {
    /// The handshakes, the client's first.
    package var handshakes: [HandshakeRecord] { [clientHandshake, serverHandshake].compactMap(\.self) }

    /// The alerts that ended connections, in the handshake or later.
    package var alerts: [Alert] {
        handshakes.compactMap(\.failure?.alert) + [clientEnd?.alert].compactMap(\.self)
    }

    /// The host and port that the client requested; `nil` until the request.
    package var target: Authority? { authority.flatMap { try? Authority($0, defaultPort: 443) } }
}
