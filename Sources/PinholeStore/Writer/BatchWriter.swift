import GRDB
import PinholeModel

/// Writes batches of events, each in one transaction.
///
/// It lives on the writer's queue.
final class BatchWriter {
    private let exchange: BoundStatement
    private let content: BoundStatement
    private let part: BoundStatement
    private let flow: BoundStatement
    private let process: BoundStatement
    private let ruling: BoundStatement
    private let messages: MessageWriter
    private let removals: [BoundStatement]
    private var certificates: CertificateTable
    private let encoder = FlowCoder()
    /// Authorities as text; making one costs more than looking it up.
    private var authorities: [Authority: String] = [:]
    private var seen: Set<Int64> = []
    private var isLast: [Bool] = []
    private var leftOut: Set<ExchangeID> = []

    private static let rememberedAuthorities = 512

    init(_ db: Database) throws {
        exchange = try BoundStatement(
            db,
            sql: "INSERT OR REPLACE INTO exchange VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
        )
        content = try BoundStatement(db, sql: "INSERT OR REPLACE INTO content VALUES (?,?,?,?,?,?,?,?)")
        part = try BoundStatement(
            db,
            sql: "INSERT INTO body_part(exchange, owner, arrived, bytes) VALUES (?,?,?,?)"
        )
        flow = try BoundStatement(db, sql: "INSERT OR REPLACE INTO flow VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
        process = try BoundStatement(
            db,
            sql: """
                UPDATE flow SET process_id = ?, process_name = ?, process_path = ?, \
                record = json_set(record, '$.flow.clientProcess', json(?)) WHERE id = ?
                """
        )
        ruling = try BoundStatement(db, sql: "INSERT OR REPLACE INTO ruling VALUES (?,?)")
        messages = try MessageWriter(db)
        removals = try [
            "DELETE FROM body_part WHERE exchange = ?", "DELETE FROM message WHERE exchange = ?",
            "DELETE FROM message_part WHERE exchange = ?",
        ].map { try BoundStatement(db, sql: $0) }
        certificates = try CertificateTable(db)
    }

    /// Writes `events`.
    ///
    /// Of what is recorded several times, only the last is written.
    func write(_ events: [FlowEvent], to db: Database) throws {
        markLast(events)
        do {
            try db.inTransaction(.immediate) {
                messages.begin()
                for (event, isLast) in zip(events, isLast) where isLast { try write(event) }
                try messages.finish()
                try certificates.noteUse()
                return .commit
            }
        } catch {
            // What was inserted by the batch is gone with it.
            certificates.forget()
            throw error
        }
    }

    private func write(_ event: FlowEvent) throws {
        switch event {
        case .exchange(let record):
            try write(record)
            try writeContent(record)
            if !record.rules.isEmpty { try writeRules(record) }
        case .bodyPart(let id, let owner, let bytes):
            try write(bytes, of: id, owner, arrived: nil)
        case .bodyPiece(let id, let owner, let bytes, let arrived):
            try write(bytes, of: id, owner, arrived: arrived)
        case .flow(let record):
            try write(record)
        case .clientProcess(let id, let process): try write(process, of: id)
        case .webSocketMessage(let message): try messages.write(message)
        case .webSocketPart(let id, let number, let bytes): try messages.write(bytes, of: id, number)
        case .leftOut(let id, _): try remove(id)
        }
    }

    /// Removes what was written of an exchange before it was known not to belong here; its own row never was.
    private func remove(_ id: ExchangeID) throws {
        for statement in removals {
            statement.begin(byteCount: 0)
            statement.bind(id.rawValue)
            try statement.run()
        }
    }

    private func write(
        _ bytes: [UInt8],
        of id: ExchangeID,
        _ owner: BodyOwner,
        arrived: Timestamp?
    ) throws {
        guard !bytes.isEmpty else { return }
        part.begin(byteCount: 0)
        part.bind(id.rawValue)
        part.bind(BodyOwnerCode(owner).rawValue)
        part.bind(arrived?.microseconds)
        try part.run(with: bytes)
    }

    private func write(_ record: ExchangeRecord) throws {
        let authority = text(of: record.authority, scheme: record.scheme)
        let detail = record.outcome?.detail
        let started = record.timings.started.microseconds
        exchange.begin(
            byteCount: authority.utf8.count + record.method.utf8.count + record.path.utf8.count
                + (detail?.utf8.count ?? 0) + (record.proxyUser?.utf8.count ?? 0)
        )
        exchange.bind(record.id.rawValue)
        exchange.bind(record.flow.rawValue)
        exchange.bind(started)
        exchange.bind(record.timings.ended.map { $0.microseconds - started })
        exchange.bind(record.scheme == .https ? 1 : 0)
        exchange.bind(authority)
        exchange.bind(record.method)
        exchange.bind(record.path)
        exchange.bind(record.status.map(Int64.init))
        exchange.bind(record.outcome?.kind.code)
        exchange.bind(detail)
        exchange.bind(record.notes.isEmpty ? 0 : NoteBits.bits(record.notes))
        exchange.bind(ExchangeState(record).rawValue)
        exchange.bind(record.timings.blocked?.microseconds)
        exchange.bind(record.timings.resolve?.microseconds)
        exchange.bind(record.timings.connect?.microseconds)
        exchange.bind(record.timings.tls?.microseconds)
        exchange.bind(record.timings.requestEnded.map { $0.microseconds - started })
        exchange.bind(record.timings.responseStarted.map { $0.microseconds - started })
        exchange.bind(record.request.body.length)
        exchange.bind(record.request.body.capturedLength)
        exchange.bind(record.response?.body.length ?? 0)
        exchange.bind(record.response?.body.capturedLength ?? 0)
        exchange.bind(record.proxyUser)
        try exchange.run()
    }

    private func writeRules(_ record: ExchangeRecord) throws {
        let hits = try RuleHitCoder.encode(record.rules)
        ruling.begin(byteCount: hits.utf8.count)
        ruling.bind(record.id.rawValue)
        ruling.bind(hits)
        try ruling.run()
    }

    private func writeContent(_ record: ExchangeRecord) throws {
        let informational = HeadList.encode(record.informational)
        content.begin(
            byteCount: informational.count + record.request.contentSize + (record.response?.contentSize ?? 0)
        )
        content.bind(record.id.rawValue)
        content.bind(record.request.head)
        content.bind(record.request.body.inline)
        content.bind(record.request.trailers)
        content.bind(informational)
        content.bind(record.response?.head ?? [])
        content.bind(record.response?.body.inline ?? [])
        content.bind(record.response?.trailers ?? [])
        try content.run()
    }

    private func write(_ record: FlowRecord) throws {
        let json = try encoder.encode(record) { der in try certificates.id(of: der, flow: record.id) }
        let treatment = record.treatment?.rawValue
        let outcome = record.outcome?.kind.rawValue
        flow.begin(
            byteCount: json.utf8.count + record.client.utf8.count + (record.authority?.utf8.count ?? 0)
                + (treatment?.utf8.count ?? 0) + (outcome?.utf8.count ?? 0)
                + (record.clientProcess?.name.utf8.count ?? 0)
                + (record.clientProcess?.path?.utf8.count ?? 0) + (record.proxyUser?.utf8.count ?? 0)
        )
        flow.bind(record.id.rawValue)
        flow.bind(record.opened.microseconds)
        flow.bind(record.closed?.microseconds)
        flow.bind(record.client)
        flow.bind(record.authority)
        flow.bind(treatment)
        flow.bind(outcome)
        flow.bind(record.isFailed ? 1 : 0)
        flow.bind(Int64(record.exchanges))
        flow.bind(json)
        flow.bind((record.clientProcess?.pid).map(Int64.init))
        flow.bind(record.clientProcess?.name)
        flow.bind(record.clientProcess?.path)
        flow.bind(record.proxyUser)
        try flow.run()
    }

    /// Adds to a flow that was written who made its connection; one that was not, or is gone, is let be.
    private func write(_ client: ClientProcess, of id: FlowID) throws {
        let json = try encoder.encode(client)
        process.begin(byteCount: json.utf8.count + client.name.utf8.count + (client.path?.utf8.count ?? 0))
        process.bind(Int64(client.pid))
        process.bind(client.name)
        process.bind(client.path)
        process.bind(json)
        process.bind(id.rawValue)
        try process.run()
    }

    /// Forgets the numbers of certificates, since some were removed.
    func forgetCertificates() { certificates.forget() }

    /// Marks, from the back, the last record of each flow and exchange, and all of the others; of an exchange that
    /// was left out nothing but that.
    private func markLast(_ events: [FlowEvent]) {
        seen.removeAll(keepingCapacity: true)
        leftOut.removeAll(keepingCapacity: true)
        isLast.removeAll(keepingCapacity: true)
        for event in events.reversed() {
            switch event {
            case .flow(let record): isLast.append(seen.insert(record.id.rawValue).inserted)
            // A record that follows has it in it.
            case .clientProcess(let id, _): isLast.append(!seen.contains(id.rawValue))
            case .exchange(let record): isLast.append(seen.insert(record.id.rawValue).inserted)
            case .leftOut(let id, _):
                leftOut.insert(id)
                isLast.append(true)
            case .bodyPart(let id, _, _), .bodyPiece(let id, _, _, _), .webSocketPart(let id, _, _):
                isLast.append(!leftOut.contains(id))
            case .webSocketMessage(let message): isLast.append(!leftOut.contains(message.exchange))
            }
        }
        isLast.reverse()
    }

    private func text(of authority: Authority, scheme: Scheme) -> String {
        // The other scheme's port is the one case in which the same authority has another text.
        guard authority.port != (scheme == .http ? 443 : 80) else { return authority.description }
        if let text = authorities[authority] { return text }
        if authorities.count >= Self.rememberedAuthorities { authorities.removeAll(keepingCapacity: true) }
        let text = authority.text(defaultPort: scheme.defaultPort)
        authorities[authority] = text
        return text
    }
}

extension ExchangeRecord {
    /// Bytes of its heads, its trailers, and the first part of its bodies.
    var contentSize: Int {
        informational.reduce(request.contentSize + (response?.contentSize ?? 0)) { $0 + $1.count }
    }
}

extension MessageRecord {
    fileprivate var contentSize: Int { head.count + body.inline.count + trailers.count }
}
