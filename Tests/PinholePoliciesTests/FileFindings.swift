import PinholeFiles
import PinholeModel
import PinholeSource
import PinholeTrust

@testable import PinholePolicies

enum FileFindings {
    /// The findings of a file as `pinhole pins check --recursive` reads it, without hints: code and line.
    static func of(_ name: String, _ text: String, beside other: (String, String)? = nil) -> [String] {
        let bytes = Array(text.utf8)
        var options = PolicyFile.Options()
        options.name = name
        let files = [(name, text)] + (other.map { [$0] } ?? [])
        options.project = SourceProject(files.map { (name: $0.0, bytes: Array($0.1.utf8)) })
        var told: [String] = []
        let isRead = PolicySearch().mayHoldPins(bytes, named: name)
        if isRead {
            let (file, read) = PolicyFile.examine(bytes, options: options, files: .memory([:]))
            let lint = PolicyLint(time: Timestamp(seconds: 1_795_000_000))
            let policies = file?.policies.flatMap { lint.findings(for: $0) } ?? []
            told = (read.filter { $0.code != .unreadable } + policies).filter { $0.severity != .hint }
                .map { "\($0.severity == .unproven ? "not proven" : $0.code.rawValue) at \($0.path)" }
        }
        guard told.isEmpty, let place = TrustWords.place(in: bytes, named: name) else { return told }
        return ["not judged at line \(place.line)"]
    }
}
