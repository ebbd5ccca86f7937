import Glibc
import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeTrust

/// The output of a comparison of policy files.
struct ParityOutput {
    /// The files, in the order of their meanings.
    let files: [String]

    /// Writes a host as JSON.
    func writeJSON(_ row: PinParity.Row) {
        let object: JSONObject = [
            "host": row.host.description, "differences": row.differences.map(\.rawValue),
            "files": zip(files, row.meanings).map(Self.object),
        ]
        StandardOutput.write(JSONLine.text(object))
    }

    private static func object(_ file: String, _ meaning: PinParity.Meaning?) -> JSONObject {
        [
            "file": file, "pins": meaning?.pins ?? [],
            "lists": (meaning?.lists ?? []).map { $0.sorted() }.sorted { $0.lexicographicallyPrecedes($1) },
            "includesSubdomains": (meaning?.subdomains).map { $0 != .none },
            "subdomains": meaning?.subdomains?.rawValue, "ports": meaning?.ports ?? [],
            "expiration": meaning?.expiration.map(CalendarDate.text), "isEnforced": meaning?.isEnforced,
            "isEnforcedForUserAnchors": meaning?.isEnforcedForUserAnchors,
        ]
    }

    /// Shows a host with the meaning of each file.
    func show(_ row: PinParity.Row) {
        let style = Style.forDescriptor(STDOUT_FILENO)
        let verdict =
            row.differences.isEmpty
            ? files.count == 1 ? "one file" : style.paint("same", .green)
            : style.paint("different \(row.differences.map(\.rawValue).joined(separator: ", "))", .red)
        StandardOutput.show("\(row.host): \(verdict)")
        let width = files.map { TextLayout.columns(of: $0) }.max() ?? 0
        for (file, meaning) in zip(files, row.meanings) {
            let name = file.padded(to: width)
            StandardOutput.show("  \(name)  \(meaning.map(Self.text) ?? "no pins")")
        }
        for pin in Self.disputed(row) {
            let holders = zip(files, row.meanings).filter { $1?.pins.contains(pin) == true }.map(\.0)
            StandardOutput.show("  \(pin)\n      only in \(holders.joined(separator: " and "))")
        }
    }

    /// The pins that some of the files lack, in the order of the files.
    private static func disputed(_ row: PinParity.Row) -> [String] {
        var seen: Set<String> = []
        return row.meanings.flatMap { $0?.pins ?? [] }.filter { pin in
            seen.insert(pin).inserted && !row.meanings.allSatisfy { $0?.pins.contains(pin) == true }
        }
    }

    private static func text(_ meaning: PinParity.Meaning) -> String {
        [
            Plain.count(meaning.pins.count, "pin")
                + (meaning.lists.count > 1 ? " in \(meaning.lists.count) lists that must all match" : ""),
            meaning.subdomains.map(text) ?? "any host",
            meaning.ports.isEmpty ? nil : "port \(meaning.ports.map { "\($0)" }.joined(separator: " and "))",
            meaning.expiration.map { "until \(CalendarDate.text($0))" } ?? "no expiration",
            !meaning.isEnforced
                ? "not enforced"
                : meaning.isEnforcedForUserAnchors
                    ? "enforced" : "enforced but for CAs that the user installed",
        ].compactMap(\.self).joined(separator: ", ")
    }

    private static func text(_ depth: PinParity.Depth) -> String {
        switch depth {
        case .none: "this host alone"
        case .oneLabel: "with subdomains of one label"
        case .all: "with subdomains"
        }
    }
}

extension PinParity.Row {
    /// The row of the host in a table of several hosts.
    var verdict: VerdictTable.Row {
        let names = differences.map(\.rawValue).joined(separator: ", ")
        return VerdictTable.Row(
            name: host.description,
            verdict: differences.isEmpty ? "same" : "different",
            colour: differences.isEmpty ? .green : .red,
            detail: names
        )
    }
}
