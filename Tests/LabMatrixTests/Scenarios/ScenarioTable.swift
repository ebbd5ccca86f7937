import PinholeLab

/// The modes that refuse in each scenario; docs/SCENARIOS.md says the same by the rules of the lab.
enum ScenarioTable {
    /// A row of one of the tables.
    struct Row: Sendable, CustomStringConvertible {
        let id: String
        /// The modes that detect the attack, or that raise a false alarm.
        let refusedBy: [String]

        init(_ id: String, _ refusedBy: String) {
            self.id = id
            self.refusedBy = refusedBy.split(separator: " ").map(String.init)
        }

        var isAttack: Bool { id.hasPrefix("A") }
        var description: String { id }
    }

    private static let allButAcceptAll = "SYS AO LC CC SL SC PB NV NVC NH"
    private static let pinned = "AO LC CC SL SC PB NV NVC NH"
    private static let pinnedToThePath = "AO LC CC SL SC NV NVC NH"
    private static let verifying = "SYS AO LC CC SL SC PB NH"
    private static let namingWithAnotherKey = "SYS AO LC CC SL SC PB NV"
    private static let naming = "SYS AO LC CC SL SC PB"

    /// The rows of the scenarios that the TLS library can stage, in the order of their identifiers.
    static let rows = every.filter { row in
        Scenario.every.first { $0.id == row.id }?.isAvailable ?? true
    }

    private static let every = [
        Row("A01", allButAcceptAll),
        Row("A02", pinned),
        Row("A03", pinned),
        Row("A04", "LC SL PB NV"),
        Row("A05", namingWithAnotherKey),
        Row("A06", allButAcceptAll),
        Row("A07", allButAcceptAll),
        Row("A08", allButAcceptAll),
        Row("A09", pinnedToThePath),
        Row("A10", pinnedToThePath),
        Row("A11", verifying),
        Row("A12", verifying),
        Row("A13", naming),
        Row("A14", namingWithAnotherKey),
        Row("A15", namingWithAnotherKey),
        Row("A16", naming),
        Row("A17", naming),
        Row("A18", naming),
        Row("A19", naming),
        Row("A20", naming),
        Row("A21", allButAcceptAll),
        // NVC could detect A22 and A29 with another path builder. OpenSSL 3.0 links by names and key identifiers and asks
        // later who is a CA, so the path as far as it was built holds the pinned one.
        Row("A22", "SYS AO LC CC SL SC PB NV NH"),
        Row("A23", "SYS AO LC CC SL SC PB NV NH"),
        Row("A24", verifying),
        Row("A25", "SYS AO LC CC SL SC PB NV NH"),
        // PB is OkHttp on a JDK, whose verifier takes SHA-1.
        Row("A26", "SYS AO LC CC SL SC NH"),
        Row("A27", verifying),
        Row("A28", ""),
        Row("A29", "SYS AO LC CC SL SC PB NV NH"),
        Row("L01", ""),
        Row("L02", "LC"),
        Row("L03", "LC"),
        Row("L04", "LC SL PB NV"),
        Row("L05", "LC CC NVC"),
        Row("L06", "AO CC"),
        Row("L07", "LC"),
        Row("L08", "LC"),
        Row("L09", "LC"),
        Row("L10", ""),
        Row("L11", "SYS AO LC CC SL SC PB NVC NH"),
        Row("L12", pinned),
        Row("L13", "CC"),
        Row("L14", ""),
        Row("L15", ""),
        Row("L16", ""),
        Row("L17", ""),
        Row("L18", ""),
        Row("L19", ""),
        Row("L20", ""),
        // The pins of a leaf are those of the key that the server had alone.
        Row("L21", "LC SL PB NV"),
        Row("L22", ""),
        Row("L23", ""),
    ]
}
