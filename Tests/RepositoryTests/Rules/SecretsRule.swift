/// No private key and no path of somebody's machine is in the repository.
enum SecretsRule {
    /// Endings of files that hold keys.
    private static let keyEndings = [".key", "-key.pem", ".p12", ".pfx", ".jks"]

    /// What in `file` should not be published.
    static func findings(in file: SourceFile) -> [Finding] {
        var findings: [Finding] = []
        if keyEndings.contains(where: file.path.hasSuffix) {
            findings.append(Finding(file, "is named like a private key; tests make their keys at run time"))
        }
        for (line, text) in file.lines.enumerated() {
            if text.contains("PRIVATE KEY-----"), isFollowedByKey(line, in: file) {
                findings.append(Finding(file, line: line, "a private key; tests make their keys at run time"))
            }
            // Regular expressions are slow in debug builds.
            let isSuspicious = folders.contains { text.contains("/\($0)/") }
            if isSuspicious, let match = text.firstMatch(of: machinePath) {
                findings.append(Finding(file, line: line, "a path of one machine: \(match.1)"))
            }
        }
        return findings
    }

    private static let folders = ["root", "work", "home", "Users"]

    // A folder that only one machine has; not the path of a URL, before which a host stands.
    private static var machinePath: Regex<(Substring, Substring)> {
        /(?:^|[^\w.\/}])(\/(?:root|work|home|Users)\/\w+)/
    }

    /// Whether there is the body of a key below, and not just the name of the format.
    private static func isFollowedByKey(_ line: Int, in file: SourceFile) -> Bool {
        file.lines[line...].prefix(6).contains { $0.contains(/(?:^|[\s"'])[A-Za-z0-9+\/=]{40,}/) }
    }
}
