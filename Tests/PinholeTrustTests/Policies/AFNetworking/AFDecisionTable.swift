import PinholeCrypto
import PinholeModel
import PinholeTrust

/// The decision table of AFSecurityPolicy 4.0.1, domain given: 528 cells.
enum AFDecisionTable {
    /// What the server sends.
    enum Column: String, CaseIterable, Sendable {
        case validOK = "V ok"
        case validWrongHost = "V wrong host"
        case validExpired = "V expired"
        case privateOK = "P ok"
        case privateWrongHost = "P wrong host"
        case selfSignedOK = "SS ok"
        case selfSignedWrongHost = "SS wrong host"
        case selfSignedExpired = "SS expired"
        case interceptedPlain = "MITM"
        case interceptedStuffed = "MITM+stuffed"

        /// Whether the server has no certificate above its leaf.
        var isSelfSigned: Bool { rawValue.hasPrefix("SS") }
    }

    /// What is pinned.
    enum Pins: String, CaseIterable, Sendable {
        case empty
        case wrong
        case leaf
        case intermediate
        case root
    }

    /// One row: the settings, and A or R for each column; `-` where the server has no such certificate.
    struct Row: Sendable, CustomStringConvertible {
        let mode: AFSecurityPolicy.PinningMode
        let allowInvalid: Bool
        let validatesDomain: Bool
        let pins: Pins
        let outcomes: String

        var description: String {
            let flags = "\(allowInvalid ? "YES" : "NO"), \(validatesDomain ? "YES" : "NO")"
            return "\(mode.rawValue), allowInvalid and validatesDomain \(flags), pins \(pins.rawValue)"
        }
    }

    /// The rows of the table; their outcomes are in the order of `Column`.
    static let rows: [Row] = source.flatMap { mode, allowInvalid, validatesDomain, pins, outcomes in
        pins.map { pin in
            let hasNone = [.intermediate, .root].contains(pin)
            let cells = zip(Column.allCases, outcomes).map { column, cell in
                hasNone && column.isSelfSigned ? "-" : cell
            }
            return Row(
                mode: mode,
                allowInvalid: allowInvalid,
                validatesDomain: validatesDomain,
                pins: pin,
                outcomes: String(cells)
            )
        }
    }

    private static let none: [Pins] = [.empty, .wrong]
    private static let authorities: [Pins] = [.intermediate, .root]
    private static let source: [(AFSecurityPolicy.PinningMode, Bool, Bool, [Pins], outcomes: String)] = [
        (.none, false, true, Pins.allCases, "ARRRRRRRAA"),
        (.none, false, false, Pins.allCases, "AARRRRRRAA"),
        (.none, true, true, Pins.allCases, "RRRRRRRRRR"),
        (.none, true, false, Pins.allCases, "AAAAAAAAAA"),
        (.certificate, false, true, none, "RRRRRRRRRR"),
        (.certificate, false, true, [.leaf], "ARRRRRRRRR"),
        (.certificate, false, true, authorities, "ARRRR---RR"),
        (.certificate, false, false, none, "RRRRRRRRRR"),
        (.certificate, false, false, [.leaf], "AARRRRRRRR"),
        (.certificate, false, false, authorities, "AARRR---RR"),
        (.certificate, true, true, none, "RRRRRRRRRR"),
        (.certificate, true, true, [.leaf], "ARRARARRRR"),
        (.certificate, true, true, authorities, "ARRAR---RR"),
        (.certificate, true, false, none, "RRRRRRRRRR"),
        (.certificate, true, false, [.leaf], "AARAAAARRR"),
        (.certificate, true, false, authorities, "AARAA---RR"),
        (.publicKey, false, true, none, "RRRRRRRRRR"),
        (.publicKey, false, true, [.leaf], "ARRRRRRRRR"),
        (.publicKey, false, true, authorities, "ARRRR---RR"),
        (.publicKey, false, false, none, "RRRRRRRRRR"),
        (.publicKey, false, false, [.leaf], "AARRRRRRRR"),
        (.publicKey, false, false, authorities, "AARRR---RR"),
        (.publicKey, true, true, none, "RRRRRRRRRR"),
        (.publicKey, true, true, [.leaf], "AAAAAAAARR"),
        (.publicKey, true, true, [.intermediate], "AAAAA---RR"),
        (.publicKey, true, true, [.root], "AAAAA---RR"),
        (.publicKey, true, false, none, "RRRRRRRRRR"),
        (.publicKey, true, false, [.leaf], "AAAAAAAARR"),
        (.publicKey, true, false, [.intermediate], "AAAAA---RR"),
        (.publicKey, true, false, [.root], "AAAAA---RR"),
    ]
}

extension AFDecisionTable {
    /// What the columns present, with the real certificates that the pins are taken from.
    struct Scene: Sendable {
        let pki: TestPKI
        /// By column: the presented chain, and the real server's leaf, intermediate and root.
        private let chains: [Column: (presented: [CertificateFacts], real: [CertificateFacts])]

        init() throws {
            let pki = try TestPKI()
            var chains: [Column: (presented: [CertificateFacts], real: [CertificateFacts])] = [:]
            func issue(
                _ ca: TestPKI.Hierarchy,
                _ host: String,
                expired: Bool = false
            ) throws -> [CertificateFacts] {
                [try ca.leaf(host, key: pki.key, expired: expired), ca.intermediate, ca.root]
            }
            for (column, host, expired) in [
                (Column.validOK, TestPKI.host, false), (.validWrongHost, TestPKI.otherHost, false),
                (.validExpired, TestPKI.host, true),
            ] {
                let real = try issue(pki.publicCA, host, expired: expired)
                chains[column] = (Array(real.prefix(2)), real)
            }
            for (column, host) in [
                (Column.privateOK, TestPKI.host), (.privateWrongHost, TestPKI.otherHost),
            ] {
                let real = try issue(pki.privateCA, host)
                chains[column] = (real, real)
            }
            for (column, host, expired) in [
                (Column.selfSignedOK, TestPKI.host, false), (.selfSignedWrongHost, TestPKI.otherHost, false),
                (.selfSignedExpired, TestPKI.host, true),
            ] {
                let real = try TestPKI.selfSigned(host, key: pki.key, expired: expired)
                chains[column] = ([real], [real])
            }
            let real = try issue(pki.publicCA, TestPKI.host)
            let forged = try pki.proxyCA.leaf(TestPKI.host, key: pki.otherKey)
            chains[.interceptedPlain] = ([forged, pki.proxyCA.intermediate], real)
            chains[.interceptedStuffed] = ([forged, pki.proxyCA.intermediate] + real.prefix(2), real)
            self.pki = pki
            self.chains = chains
        }

        /// What the server sends.
        func presented(_ column: Column) -> [CertificateFacts] { chains[column]?.presented ?? [] }

        /// What is pinned, taken from the real server.
        func pinned(_ pins: Pins, _ column: Column) -> [CertificateFacts] {
            let real = chains[column]?.real ?? []
            return switch pins {
            case .empty: []
            case .wrong: [pki.wrong]
            case .leaf: Array(real.prefix(1))
            case .intermediate: Array(real.dropFirst().prefix(1))
            case .root: Array(real.dropFirst(2).prefix(1))
            }
        }
    }
}
