import Foundation
import PinholeCrypto
import PinholeModel
import PinholeTestKit

/// The family as files: for other programs, and for `pinhole judge --cases`.
struct FamilyFolder {
    let path: String
    let chains: [FamilyChain]

    /// Writes the chains to `path`, each as `N.pem`, `N-leaf.pem`, `N-anchors.pem` and `N-key.pem`, and a list of
    /// cases as `cases.jsonl`.
    init(_ chains: [FamilyChain], to path: String, at time: Timestamp) throws {
        self.path = path
        self.chains = chains
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var cases = ""
        for (number, chain) in chains.enumerated() {
            try write(chain.presented.map(\.pem).joined(), "\(number).pem")
            try write(chain.presented.first?.pem ?? "", "\(number)-leaf.pem")
            try write(chain.anchors.map(\.pem).joined(), "\(number)-anchors.pem")
            try write(chain.key.pem, "\(number)-key.pem")
            cases += """
                {"id": "\(chain.name)", "mechanism": "system", "host": "\(chain.host)", "presented": ["\(number).pem"], \
                "anchors": ["\(number)-anchors.pem"], "time": "\(time.iso8601)", "authLevel": \(chain.securityLevel)}

                """
        }
        try write(cases, "cases.jsonl")
    }

    /// A file of one chain.
    func file(_ number: Int, _ ending: String = "") -> String { "\(path)/\(number)\(ending).pem" }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }
}
