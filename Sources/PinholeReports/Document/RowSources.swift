import PinholeCrypto
import PinholeLab
import PinholeModel

/// The digests of the files and commands of the user's own rows, compared over the reports of parts of one run.
package struct RowSources: Sendable {
    /// A row in the reports that have it.
    private struct Source {
        let id: String
        /// The reports by the digest that they give.
        var reports: [(digest: String?, names: [String])] = []

        /// The reports that give a digest, by the digest.
        var told: [(digest: String, names: [String])] {
            reports.compactMap { report in report.digest.map { ($0, report.names) } }
        }

        mutating func add(_ name: String, _ digest: String?) {
            if let index = reports.firstIndex(where: { $0.digest == digest }) {
                reports[index].names.append(name)
            } else {
                reports.append((digest, [name]))
            }
        }
    }

    private let sources: [Source]

    /// Collects the digests in reports.
    ///
    /// - Parameters:
    ///   - documents: The reports.
    ///   - names: The name of each report, such as its file; reports without a name are named by their places.
    package init(of documents: [LabDocument], names: [String] = []) {
        var sources: [Source] = []
        for (number, document) in documents.enumerated() {
            let name = number < names.count ? names[number] : document.name(number)
            for row in document.policies where row.stance == .own {
                if let index = sources.firstIndex(where: { $0.id == row.id }) {
                    sources[index].add(name, row.digest)
                } else {
                    var source = Source(id: row.id)
                    source.add(name, row.digest)
                    sources.append(source)
                }
            }
        }
        self.sources = sources
    }

    /// The rows that have different digests in different reports, in a sentence; `nil` if there are none.
    var difference: String? {
        let different = sources.filter { $0.told.count > 1 }
        guard !different.isEmpty else { return nil }
        let rows = different.map { source in
            let groups = source.told.map { "\($0.names.joined(separator: ", ")) (\($0.digest.prefix(12))…)" }
            return "\(source.id) is one thing in \(groups.joined(separator: " and another in "))"
        }
        return "expected parts of the same policies and commands, found different ones (SHA-256): "
            + "\(rows.joined(separator: "; ")); run every part with the same files, and the same command"
    }

    /// The rows whose digest is missing in some report, a sentence each.
    package var doubts: [String] {
        sources.compactMap { source in
            let silent = source.reports.first { $0.digest == nil }?.names ?? []
            guard !silent.isEmpty, source.reports.reduce(0, { $0 + $1.names.count }) > 1 else { return nil }
            return
                "\(silent.joined(separator: ", ")): no sha256 of \(source.id), as from an older pinhole; whether all "
                + "parts are of the same contents is not known"
        }
    }
}

extension LabDocument {
    /// Names a report that has no file.
    fileprivate func name(_ number: Int) -> String {
        shards.isEmpty ? "report \(number + 1)" : "part \(shards.map(\.description).joined(separator: ", "))"
    }
}

extension LabPolicy {
    /// Computes a SHA-256 in hexadecimal that distinguishes one command from another.
    ///
    /// - Parameter words: The program and its arguments.
    /// - Returns: The digest of the words, with a NUL behind each.
    package static func digest(of words: [String]) -> String {
        Hexadecimal.encode(Digest.sha256(words.flatMap { Array($0.utf8) + [0] }))
    }
}
