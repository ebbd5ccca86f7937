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
        .number(
            "id",
            .count,
            { $0.id.rawValue },
            column: .required("id", .number, in: FieldRange.ids, isKey: true),
            filter: .same(),
            order: .byValue,
            json: "id",
            export: "id"
        ),
        .number("flow", .count, { $0.id.rawValue }, filter: .same(sql: .expression("id")), order: .byValue),
        .number(
            "time",
            .moment,
            { $0.opened.microseconds },
            column: .required("opened", .number),
            filter: .same(),
            order: .byValue,
            json: "opened",
            export: "started"
        ),
        .number(
            "closed",
            .moment,
            { $0.closed?.microseconds },
            column: .optional("closed", .number),
            json: "closed"
        ),
        .number(
            "duration",
            .duration,
            { record in record.closed.map { ($0 - record.opened).microseconds } },
            filter: .same(sql: .expression("(closed - opened)"), until: .over),
            order: .byValue,
            export: "milliseconds"
        ),
    ]

    private static let target: [FlowField] = [
        .text("method", { _ in "CONNECT" }, export: "method"),
        .text("target", { _ in "" }, json: .listed("path")),
        .text(
            "authority",
            { $0.authority },
            column: .text("authority", .authority),
            json: "authority",
            export: "url"
        ),
        .text("url", { $0.authority }, order: .by("authority")),
        .text(
            "host",
            { $0.target?.host.description },
            filter: .same(sql: .host, until: .over),
            order: .by("authority", .host),
            json: .listed("host")
        ),
        .number(
            "port",
            .count,
            { ($0.target?.port).map(Int64.init) },
            filter: .same(sql: .port, until: .over),
            order: .byValue,
            json: .listed("port")
        ),
        .text(
            "server",
            { $0.server },
            filter: .init(
                "the server's address and port",
                "server endswith :8443",
                sql: .elsewhere,
                until: .over
            ),
            json: "server"
        ),
        .texts(
            "destination",
            { [$0.server, $0.authority].compactMap(\.self) },
            filter: .init(
                "the server's address, and the host that the client asked for",
                "destination matches 192.0.2",
                sql: .elsewhere,
                until: .connected,
                isHostName: true
            )
        ),
        .text("nextHop", { $0.nextHop }, json: "nextHop"),
        .text(
            "treatment",
            { $0.treatment?.rawValue },
            column: .text("treatment", .words(Treatment.allCases.map(\.rawValue))),
            filter: .init(
                "the treatment of the tunnel: `intercepted`, `passedThrough` …",
                "treatment == passedThrough",
                until: .over,
                values: Treatment.allCases.map(\.rawValue)
            ),
            json: FieldJSON("treatment", values: Treatment.allCases.map(\.rawValue))
        ),
        .text("reason", { $0.reason }, json: FieldJSON("reason", "Why the tunnel was treated so.")),
    ]

    private static let connection: [FlowField] = [
        .text(
            "sni",
            { $0.clientHello?.serverName },
            filter: .init(
                "the server name in the client's TLS handshake",
                "sni == api.example.com",
                sql: .elsewhere,
                until: .greeted,
                isHostName: true
            )
        ),
        .texts(
            "alpn",
            { $0.handshakes.compactMap(\.applicationProtocol) },
            filter: .init(
                "the protocol that a TLS handshake agreed on",
                "alpn == h2",
                sql: .elsewhere,
                until: .secured
            )
        ),
        .texts(
            "tls.version",
            { $0.handshakes.compactMap(\.version) },
            filter: .init(
                "the version of TLS, with the client or the server",
                "tls.version == TLSv1.2",
                sql: .elsewhere,
                until: .secured,
                usualValues: ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"]
            )
        ),
        .texts(
            "tls.cipher",
            { $0.handshakes.compactMap(\.cipher) },
            filter: .init(
                "the cipher suite, with the client or the server",
                "tls.cipher contains CHACHA20",
                sql: .elsewhere,
                until: .secured
            )
        ),
        .text(
            "tls.group",
            { $0.clientHandshake?.group },
            column: .text("tls_group", .tls) { record, group in
                var handshake = HandshakeRecord(peer: .client, started: record.opened, duration: .zero)
                handshake.group = group
                record.clientHandshake = handshake
            },
            filter: .init(
                "the group of the key exchange with the client, by its name at IANA",
                "tls.group == X25519MLKEM768",
                until: .over
            ),
            order: .byValue,
            json: FieldJSON("tlsGroup", "The group of the key exchange with the client."),
            export: "tlsGroup",
            title: .init("Group", "TLS group of the client"),
            isJoined: true
        ),
        .texts(
            "tls.pq",
            { KeyExchange($0)?.words ?? [] },
            filter: .init(
                "where a post-quantum key exchange was offered or agreed on, and what the interception changed",
                "tls.pq == weakened",
                sql: .elsewhere,
                until: .secured,
                values: KeyExchange.allWords
            )
        ),
        .text(
            "tls.ja4",
            { $0.clientHello?.ja4 },
            column: .text("tls_ja4", .ja4) { record, ja4 in
                var hello = ClientHelloRecord()
                hello.ja4 = ja4
                record.clientHello = hello
            },
            filter: .init(
                "the client's fingerprint by FoxIO's JA4",
                "tls.ja4 startswith t13d",
                until: .over
            ),
            order: .byValue,
            json: FieldJSON("ja4", "The client's fingerprint by JA4."),
            export: "ja4",
            title: .init("JA4", "JA4 fingerprint of the client"),
            isJoined: true
        ),
        .texts(
            "tls.cause",
            { $0.handshakes.compactMap { $0.failure?.cause.rawValue } },
            filter: .init(
                "why a TLS handshake failed (docs/TROUBLESHOOTING.md#the-tls-handshake-fails)",
                "tls.cause == authorityNotTrusted",
                sql: .elsewhere,
                until: .secured,
                values: HandshakeFailure.Cause.allCases.map(\.rawValue)
            )
        ),
        .texts(
            "tls.alert",
            { $0.alerts.flatMap { [$0.name, String($0.code)] } },
            filter: .init(
                "the TLS alert that ended a connection, by name or number",
                "tls.alert == unknown_ca",
                sql: .elsewhere,
                until: .secured,
                values: Alert.names.values.sorted() + (0...255).map(String.init)
            )
        ),
    ]

    private static let client: [FlowField] = [
        .text(
            "client",
            { $0.client },
            column: .text("client", .peer, isRequired: true) { $0.client = $1 },
            filter: .init("the client's address and port", "client startswith 192.0.2."),
            order: .byValue,
            json: "client",
            title: "Client",
            isJoined: true
        ),
        .number(
            "pid",
            .count,
            { ($0.clientProcess?.pid).map(Int64.init) },
            column: .optional("process_id", .empty, in: 0...Int64(Int32.max)) {
                $0.clientProcess = ClientProcess(pid: Int32($1), name: "", path: nil)
            },
            filter: .init("the number of the client's process", "pid == 4711", until: .always, stage: .end),
            isJoined: true
        ),
        .texts(
            "process",
            { [$0.clientProcess?.name, $0.clientProcess?.path].compactMap(\.self) },
            column: .text("process_name", .empty, get: { $0.clientProcess?.name }) {
                $0.clientProcess?.name = $1
            },
            filter: .init(
                "the name and the file of the client's program (docs/LISTENERS.md#which-program-asked)",
                "process == curl",
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
        .object(
            "clientProcess",
            .clientProcess,
            { $0.clientProcess },
            text: { $0.clientProcess?.name },
            json: FieldJSON(
                "clientProcess",
                "The program that made the connection, where it runs on this machine and was found out."
            ),
            export: "clientProcess",
            isJoined: true
        ),
        // A tunnel is treated only after the login.
        .text(
            "proxy.user",
            { $0.proxyUser },
            column: .text("proxy_user", .token),
            filter: .same(until: .treated),
            order: .byValue,
            json: "proxyUser",
            export: "proxyUser",
            isJoined: true
        ),
        .text(
            "listenerKind",
            { $0.listenerKind?.rawValue },
            json: FieldJSON("listenerKind", values: ListenerKind.allCases.map(\.rawValue))
        ),
    ]

    private static let ending: [FlowField] = [
        .text(
            "outcome",
            { $0.outcome?.kind.rawValue },
            column: .text("outcome", .words(Outcome.Kind.allCases.map(\.rawValue))),
            filter: .same(until: .over, values: Outcome.Kind.allCases.map(\.rawValue)),
            order: .byValue,
            json: "outcome",
            export: "outcome"
        ),
        .text(
            "standing",
            { $0.standing?.rawValue },
            filter: .same(
                sql: .expression(StandingSQL.ofFlow),
                until: .over,
                values: Standing.allCases.filter { $0 != .failed }.map(\.rawValue)
            ),
            json: FieldJSON("standing", "The result.", values: Standing.allCases.map(\.rawValue))
        ),
        .text("fault", { $0.outcome?.fault?.rawValue }, json: "fault"),
        .text("detail", { $0.outcome?.detail }, json: "detail"),
        .texts(
            "error",
            { record in
                guard record.isFailed else { return [] }
                return [record.outcome?.detail].compactMap(\.self)
                    + record.handshakes.compactMap(\.failure?.detail)
            },
            filter: .same(sql: .elsewhere, until: .over)
        ),
        .stored(.required("failed", .number, get: { $0.isFailed ? 1 : 0 })),
        .number(
            "exchanges",
            .count,
            { Int64($0.exchanges) },
            column: .required("exchanges", .number, in: FieldRange.lengths),
            json: "exchanges"
        ),
        .number(
            "size",
            .bytes,
            { $0.bytesFromClient + $0.bytesFromServer },
            order: .by("(record ->> '$.flow.bytesFromClient' + record ->> '$.flow.bytesFromServer')")
        ),
        .number(
            "request.size",
            .bytes,
            { $0.bytesFromClient },
            order: .by("(record ->> '$.flow.bytesFromClient')"),
            json: "bytesFromClient",
            export: "requestBytes"
        ),
        .number(
            "response.size",
            .bytes,
            { $0.bytesFromServer },
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
