/// What each target may import.
///
/// An arrow that is not listed here runs the wrong way, or is a new dependency: a decision, which
/// belongs in this table and into docs/DECISIONS.md.
enum LayeringRule {
    /// The targets without a clock, a file, a socket or an unsafe construct.
    static let pureTargets: Set = [
        "PinholeModel", "PinholeFilter", "PinholeRules", "PinholeWire", "PinholeSource", "PinholeTrust",
        "PinholeProxy",
    ]

    /// The modules that a target may import, by target.
    static let allowed: [String: Set<String>] = [
        "PinholeLock": ["Glibc"],
        "PinholeFiles": ["CFiles", "Glibc", "PinholeModel"],
        "PinholeModel": [],
        "PinholeFilter": ["PinholeModel"],
        "PinholeRules": ["PinholeFilter", "PinholeLock", "PinholeModel"],
        "PinholeWire": ["PinholeModel"],
        "PinholeSource": [],
        "PinholeTrust": ["PinholeModel"],
        "PinholeContent": ["CBrotli", "CZlib", "CZstd", "Glibc", "PinholeModel"],
        "PinholeCrypto": system.union([
            "CCrypt", "COpenSSL", "CTLSRecords", "PinholeFiles", "PinholeLock", "PinholeModel",
            "PinholeTrust",
        ]),
        "PinholeHTTP2": system.union(["CNghttp2", "PinholeModel"]),
        "PinholeProxy": [
            "PinholeContent", "PinholeLock", "PinholeModel", "PinholeRules", "PinholeWire", "PinholeTrust",
            "PinholeCrypto",
            "PinholeHTTP2",
        ],
        "PinholeRuntime": system.union([
            "CLinux", "Dispatch", "Logging", "PinholeContent", "PinholeFiles", "PinholeLock", "PinholeModel",
            "PinholeRules", "PinholeWire", "PinholeTrust", "PinholeCrypto", "PinholeHTTP2", "PinholeProxy",
        ]),
        "PinholeStore": [
            "CSQLite", "Dispatch", "Glibc", "PinholeContent", "PinholeFiles", "PinholeFilter", "PinholeLock",
            "PinholeModel",
        ],
        "PinholeFormats": system.union([
            "PinholeContent", "PinholeFilter", "PinholeLock", "PinholeModel", "PinholeWire", "PinholeTrust",
            "PinholeCrypto",
            "PinholeStore",
        ]),
        "PinholeClass": system.union([
            "CClassTexts", "Logging", "PinholeContent", "PinholeFiles", "PinholeLock", "PinholeModel",
            "PinholeWire",
            "PinholeTrust", "PinholeCrypto", "PinholeProxy", "PinholeRuntime", "PinholeSession",
            "PinholeStore", "PinholeClient", "PinholePolicies", "PinholeLab", "PinholeFormats",
            "PinholeConsole",
        ]),
        "PinholeConsole": system.union([
            "CConsoleAssets", "PinholeContent", "PinholeFiles", "PinholeFilter", "PinholeLock",
            "PinholeModel", "PinholeWire",
            "PinholeTrust", "PinholeCrypto", "PinholeProxy", "PinholeRuntime", "PinholeSession",
            "PinholeStore",
            "PinholeClient", "PinholeFormats", "PinholePolicies", "PinholeLab", "PinholeReports",
        ]),
        "PinholeSession": system.union([
            "Logging", "PinholeFiles", "PinholeFilter", "PinholeLock", "PinholeModel", "PinholeRules",
            "PinholeTrust", "PinholeWire", "PinholeCrypto", "PinholeProxy", "PinholeRuntime", "PinholeStore",
            "PinholeFormats", "PinholeClient", "PinholeTelemetry",
        ]),
        "PinholeClient": system.union([
            "PinholeLock", "PinholeModel", "PinholeWire", "PinholeTrust", "PinholeCrypto", "PinholeHTTP2",
            "PinholeProxy", "PinholeRuntime",
        ]),
        "PinholePolicies": [
            "PinholeFiles", "PinholeModel", "PinholeSource", "PinholeTrust", "PinholeCrypto",
            "PinholeRuntime",
        ],
        "PinholeLab": system.union([
            "Logging", "PinholeContent", "PinholeFiles", "PinholeLock", "PinholeModel", "PinholeWire",
            "PinholeTrust",
            "PinholeCrypto", "PinholeProxy", "PinholeRuntime", "PinholeSession", "PinholeClient",
            "PinholePolicies",
        ]),
        "PinholeReports": [
            "PinholeModel", "PinholeTrust", "PinholeCrypto", "PinholeClient", "PinholePolicies", "PinholeLab",
            "PinholeTelemetry",
        ],
        "PinholeTelemetry": [
            "PinholeContent", "PinholeLock", "PinholeModel", "PinholeWire", "PinholeCrypto", "PinholeStore",
            "PinholeClient",
        ],
        "Pinhole": system.union([
            "Logging", "PinholeFilter", "PinholeModel", "PinholeRules", "PinholeCrypto", "PinholeRuntime",
            "PinholeFormats", "PinholeSession",
        ]),
        "PinholeCommand": system.union([
            "ArgumentParser", "CBuildInfo", "CLinux", "Logging", "Subprocess", "PinholeContent",
            "PinholeFiles",
            "PinholeFilter",
            "PinholeLock",
            "PinholeModel",
            "PinholeRules", "PinholeSource", "PinholeWire",
            "PinholeTrust", "PinholeCrypto", "PinholeProxy", "PinholeRuntime", "PinholeSession",
            "PinholeStore",
            "PinholeConsole", "PinholeClient", "PinholeFormats", "PinholePolicies", "PinholeLab",
            "PinholeReports", "PinholeTelemetry", "PinholeClass",
        ]),
        "EngineCost": system.union([
            "PinholeFilter", "PinholeModel", "PinholeRules", "PinholeWire", "PinholeCrypto", "PinholeHTTP2",
            "PinholeProxy", "PinholeStore",
        ]),
    ]

    /// The system: open to every target that is not pure.
    ///
    /// Foundation is missing on purpose. It brings the tables of ICU, which are larger than the rest of the program.
    private static let system: Set = ["Glibc"]

    /// What comes with the toolchain and touches nothing outside of the process: open to every target.
    private static let harmless: Set = ["Swift", "Synchronization"]

    /// The imports in `file`, a file of `target`, that are not allowed.
    static func findings(in file: SourceFile, of target: String) -> [Finding] {
        guard let modules = allowed[target] else {
            return [Finding(file, "the target \(target) has no row in LayeringRule.allowed")]
        }
        return imports(in: file).compactMap { line, module in
            guard !modules.contains(module), !harmless.contains(module) else { return nil }
            return Finding(file, line: line, "\(target) may not import \(module)")
        }
    }

    /// The modules that `file` imports, with the lines.
    static func imports(in file: SourceFile) -> [(line: Int, module: String)] {
        file.lines.enumerated().compactMap { line, text in
            // Regular expressions are slow in debug builds.
            guard text.contains("import ") else { return nil }
            let pattern =
                /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)/
            guard let match = text.prefixMatch(of: pattern) else { return nil }
            return (line, String(match.1))
        }
    }
}
