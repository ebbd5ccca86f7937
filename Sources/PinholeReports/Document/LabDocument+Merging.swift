package import PinholeLab

extension LabDocument {
    /// Merges the documents of the parts of a run.
    ///
    /// Each part may have been run with certificates of its own. A cell that is in several parts must have the same
    /// outcome in all of them; else it is inconclusive. ``missingShards`` names the missing parts.
    ///
    /// - Parameters:
    ///   - documents: The parts, in any order.
    ///   - names: The name of each part in failures, such as its file; parts without a name are named by their places.
    /// - Returns: The whole.
    /// - Throws: ``LabFailure`` when they are not of one run.
    package static func merging(
        _ documents: [LabDocument],
        names: [String] = []
    ) throws(LabFailure) -> LabDocument {
        guard var whole = documents.first else {
            throw LabFailure("expected at least one report to merge, found none")
        }
        let sources = RowSources(of: documents, names: names)
        if let difference = sources.difference { throw LabFailure(difference) }
        var positions: [Place: Int] = [:]
        for (position, cell) in whole.cells.enumerated() { positions[cell.place] = position }
        for part in documents.dropFirst() {
            try whole.takeOver(part)
            for cell in part.cells {
                if let position = positions[cell.place] {
                    whole.cells[position].join(cell)
                } else {
                    positions[cell.place] = whole.cells.count
                    whole.cells.append(cell)
                }
            }
        }
        whole.sort()
        return whole
    }

    /// Takes from another part everything but the cells.
    private mutating func takeOver(_ part: LabDocument) throws(LabFailure) {
        guard part.host == host else {
            throw LabFailure(
                "expected reports of one host, found \(host) and \(part.host); "
                    + "run every part with the same --host"
            )
        }
        guard part.shards.isEmpty == shards.isEmpty, part.shards.first?.count == shards.first?.count else {
            throw LabFailure(
                "expected the parts of one run, found \(Self.title(shards)) and \(Self.title(part.shards)); "
                    + "run every part with the same number behind the stroke of --shard"
            )
        }
        guard part.selection == selection else {
            throw LabFailure(
                "expected parts of the same scenarios; run every part with the same --scenario and --only"
            )
        }
        shards += part.shards.filter { !shards.contains($0) }
        started = min(started, part.started)
        for row in part.policies {
            if let index = policies.firstIndex(where: { $0.id == row.id }) {
                let known = policies[index]
                // A part gives advice only for its own scenarios, so the first advice is kept.
                if known.advice == nil { policies[index].advice = row.advice }
                if known.fault == nil { policies[index].fault = row.fault }
                // A digest that one part does not give is unknown for the whole.
                if row.digest == nil { policies[index].digest = nil }
                guard known.isAlike(row) else {
                    throw known.notes == row.notes
                        ? Self.differ("the policy \(row.id)")
                        : LabFailure(
                            "the pins of \(row.id) were taken for other ones in one part than in another; "
                                + "run every part with the same file and the same --chain"
                        )
                }
            } else {
                policies.append(row)
            }
        }
        for column in part.scenarios {
            if let known = scenarios.first(where: { $0.id == column.id }) {
                guard known == column else { throw Self.differ("the scenario \(column.id)") }
            } else {
                scenarios.append(column)
            }
        }
        hosts += part.hosts.filter { !hosts.contains($0) }
        certificates.merge(part.certificates) { own, _ in own }
    }

    private static func title(_ shards: [LabShard]) -> String {
        shards.isEmpty
            ? "a run that was not divided" : shards.map { "part \($0)" }.joined(separator: ", ")
    }

    private static func differ(_ what: String) -> LabFailure {
        LabFailure(
            "\(what) is not the same in all reports; make all of them with one version of pinhole "
                + "and the same policy files"
        )
    }

    /// Brings parts, columns and cells into the order of a run that was not divided.
    private mutating func sort() {
        shards.sort { $0.index < $1.index }
        scenarios.sort { $0.id < $1.id }
        let rows = Dictionary(policies.enumerated().map { ($1.id, $0) }) { first, _ in first }
        cells.sort {
            let (left, right) = (rows[$0.place.policy] ?? 0, rows[$1.place.policy] ?? 0)
            return left == right ? $0.place.scenario < $1.place.scenario : left < right
        }
    }
}

extension LabDocument.Row {
    /// Whether the rows are equal, except for the digests, which ``RowSources`` compares.
    fileprivate func isAlike(_ other: LabDocument.Row) -> Bool {
        var (left, right) = (self, other)
        // The same file may be in several folders.
        if left.digest != nil, left.digest == right.digest { left.file = right.file }
        left.digest = nil
        right.digest = nil
        left.advice = right.advice
        left.fault = right.fault
        return left == right
    }
}

extension LabDocument.Cell {
    /// Takes over the evidence of the same cell in another report.
    fileprivate mutating func join(_ other: LabDocument.Cell) {
        evidence += other.evidence
        guard outcome != other.outcome else { return }
        reason =
            "The reports differ: \(outcome.title) in one (\(reason)) "
            + "and \(other.outcome.title) in another (\(other.reason))."
        outcome = .inconclusive
    }
}
