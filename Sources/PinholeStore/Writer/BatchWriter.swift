import PinholeModel

/// Writes batches of events, each in one transaction.
///
/// All calls are on the writer's queue.
final class BatchWriter {
    private let exchanges: ExchangeWriter
    private let part: Statement
    private let flow: Statement
    private let process: Statement
    private let packet: Statement
    private let secret: Statement
    private let messages: MessageWriter
    private let removals: [Statement]
    private var certificates: CertificateTable
    private var seen: Set<Int64> = []
    private var isLast: [Bool] = []
    private var leftOut: Set<ExchangeID> = []
    /// The exchanges and flows that the batch writes.
    private var written: [Int64] = []
    /// The places of the exchanges among the events of the batch.
    private var places: [Int] = []
    /// The flows of the batch whose program was found after they were written.
    private var identified: [Int64] = []

    init(_ db: Database) throws {
        func prepare(_ sql: String) throws -> Statement { try db.statement(sql, isKept: true) }
        exchanges = try ExchangeWriter(db)
        part = try prepare("INSERT INTO body_part(exchange, owner, arrived, bytes) VALUES (?,?,?,?)")
        flow = try prepare(RecordTables.flow.insertion(["record"]))
        process = try prepare(
            """
            UPDATE flow SET process_id = ?, process_name = ?, process_path = ?, \
            record = json_set(record, '$.flow.clientProcess', json(?)) WHERE id = ?
            """
        )
        packet = try prepare("INSERT INTO packet(flow, connection, kind, time, bytes) VALUES (?,?,?,?,?)")
        secret = try prepare(
            "INSERT INTO secret(random, line, packet) VALUES (?, ?, coalesce((SELECT max(id) FROM packet), 0))"
        )
        messages = try MessageWriter(db)
        removals = try [
            "DELETE FROM body_part WHERE exchange = ?", "DELETE FROM message WHERE exchange = ?",
            "DELETE FROM message_part WHERE exchange = ?",
        ].map(prepare)
        certificates = try CertificateTable(db)
    }

    /// Writes `events`.
    ///
    /// If a flow or exchange is recorded several times, only its last record is written.
    ///
    /// - Returns: Whether readers have something new to show.
    func write(_ events: [FlowEvent], to db: Database) throws -> Bool {
        markLast(events)
        written.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        identified.removeAll(keepingCapacity: true)
        do {
            try db.transaction(.immediate) {
                messages.begin()
                for place in events.indices where isLast[place] { try write(events[place], at: place) }
                try exchanges.write(events, at: places)
                try messages.finish()
                try certificates.noteUse()
                try ChangeLog.append(.written, written, to: db)
                try ChangeLog.append(.identified, identified, to: db)
            }
        } catch {
            // Rows that the batch inserted were rolled back.
            certificates.forget()
            throw error
        }
        return !written.isEmpty || !identified.isEmpty
    }

    private func write(_ event: FlowEvent, at place: Int) throws {
        switch event {
        case .exchange(let record):
            places.append(place)
            written.append(record.id.rawValue)
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
        case .packet(let packet): try write(packet)
        case .secret(let line): try write(secret: line)
        }
    }

    /// Removes the parts and messages of an exchange that must not be in the capture; its own row was never written.
    private func remove(_ id: ExchangeID) throws {
        for statement in removals {
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
        part.bind(id.rawValue)
        part.bind(BodyOwnerCode(owner).rawValue)
        part.bind(arrived?.microseconds)
        try part.run(with: bytes)
    }

    private func write(_ kept: KeptPacket) throws {
        packet.bind(kept.flow.rawValue)
        packet.bind(kept.connection)
        packet.bind(kept.kind.rawValue)
        packet.bind(kept.time.microseconds)
        try packet.run(with: kept.bytes)
    }

    private func write(secret line: String) throws {
        // A line is a label, the client's random and the secret.
        let words = line.split(separator: " ")
        secret.bind(words.count > 1 ? words[1].lowercased() : "")
        secret.bind(line)
        try secret.run()
    }

    private func write(_ record: FlowRecord) throws {
        let json = try FlowCoder.encode(record) { der in try certificates.id(of: der, flow: record.id) }
        RecordTables.flow.bind(record, to: flow)
        flow.bind(utf8: json)
        try flow.run()
        written.append(record.id.rawValue)
    }

    /// Adds the program to a flow; a flow that was not written, or was removed, stays unchanged.
    private func write(_ client: ClientProcess, of id: FlowID) throws {
        let json = try FlowCoder.encode(client)
        process.bind(Int64(client.pid))
        process.bind(client.name)
        process.bind(client.path)
        process.bind(json)
        process.bind(id.rawValue)
        try process.run()
        identified.append(id.rawValue)
    }

    /// Forgets the numbers of certificates, because some were removed.
    func forgetCertificates() { certificates.forget() }

    /// Marks the events to write, from the last to the first.
    ///
    /// These are the last record of each flow and exchange, and all other events. Of an exchange that was left out,
    /// only that event is marked.
    private func markLast(_ events: [FlowEvent]) {
        seen.removeAll(keepingCapacity: true)
        leftOut.removeAll(keepingCapacity: true)
        isLast.removeAll(keepingCapacity: true)
        for event in events.reversed() {
            switch event {
            case .flow(let record): isLast.append(seen.insert(record.id.rawValue).inserted)
            // A later record of the flow contains the program.
            case .clientProcess(let id, _): isLast.append(!seen.contains(id.rawValue))
            case .exchange(let record): isLast.append(seen.insert(record.id.rawValue).inserted)
            case .leftOut(let id, _):
                leftOut.insert(id)
                isLast.append(true)
            case .bodyPart(let id, _, _), .bodyPiece(let id, _, _, _), .webSocketPart(let id, _, _):
                isLast.append(!leftOut.contains(id))
            case .webSocketMessage(let message): isLast.append(!leftOut.contains(message.exchange))
            case .packet, .secret: isLast.append(true)
            }
        }
        isLast.reverse()
    }
}

extension ExchangeRecord {
    /// The number of bytes of the heads, the trailers, and the first parts of the bodies.
    var contentSize: Int {
        informational.reduce(request.contentSize + (response?.contentSize ?? 0)) { $0 + $1.count }
    }
}

extension MessageRecord {
    fileprivate var contentSize: Int { head.count + body.inline.count + trailers.count }
}
