import PinholeConsole
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeSession
import PinholeTrust

/// The settings of an experiment, as the class chose them.
struct ClassroomSwitches: Sendable, Equatable, Encodable {
    /// The man in the middle between the client and its server.
    enum Middle: String, Sendable, CaseIterable, Encodable {
        /// A proxy that passes everything on, unread.
        case nobody
        /// A proxy that makes certificates with a CA of its own, as Pinhole does.
        case proxy
        /// An attacker with a genuine certificate for a host of his own, by the server's own CA.
        case otherHost
        /// An attacker for whom another generally trusted CA signed a certificate with the server's name.
        case trustedAuthority
    }

    /// The certificate that the client pins.
    enum Pin: String, Sendable, CaseIterable, Encodable {
        case none
        case leaf
        case key
        case authority
    }

    var middle = Middle.proxy
    /// Whether the device trusts the proxy's CA.
    var installsAuthority = false
    var pin = Pin.none
    /// AFSecurityPolicy's `allowInvalidCertificates`.
    var allowsInvalid = false
    /// AFSecurityPolicy's `validatesDomainName`.
    var checksName = true

    /// Reads the switches; a switch that is absent keeps its default.
    init(_ members: [String: JSONValue]) throws(Problem) {
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "middle": middle = try Self.choice(name, value)
            case "pin": pin = try Self.choice(name, value)
            case "installsAuthority": installsAuthority = try Self.boolean(name, value)
            case "allowsInvalid": allowsInvalid = try Self.boolean(name, value)
            case "checksName": checksName = try Self.boolean(name, value)
            default: throw Problem(400, "bad body", "there is no switch “\(name.prefix(80))”")
            }
        }
    }

    /// Creates the switches of the first experiment.
    init() {}

    private static func boolean(_ name: String, _ value: JSONValue) throws(Problem) -> Bool {
        guard case .boolean(let value) = value else {
            throw Problem.bad(name, expected: "true or false", found: value)
        }
        return value
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        _ value: JSONValue
    ) throws(Problem) -> Choice where Choice.RawValue == String {
        guard case .string(let text) = value, let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.bad(name, expected: known, found: value)
        }
        return choice
    }

    /// Returns the lab's staging for these switches.
    func staging(in world: LabWorld) throws(CryptoFailure) -> Staging {
        var staging: Staging
        switch middle {
        case .nobody: staging = Staging(world)
        case .proxy:
            staging = Staging(world)
            staging.impostor = .minted
        case .otherHost:
            let other = try world.honest.leaf(for: [LabWorld.attackerHost], key: world.attackerKey)
            staging = .intercepted(world, presenting: other)
        case .trustedAuthority:
            let wrong = try world.rogue.leaf(for: [world.host], key: world.attackerKey)
            staging = .intercepted(world, presenting: wrong)
        }
        staging.installsProxyAuthority = installsAuthority
        return staging
    }

    /// Returns the client's policy: AFSecurityPolicy with the settings of the switches.
    func policy(in world: LabWorld) -> LabPolicy {
        let (mode, certificates): (AFSecurityPolicy.PinningMode, [CertificateFacts]) =
            switch pin {
            case .none: (.none, [])
            case .leaf: (.certificate, [world.leaf])
            case .key: (.publicKey, [world.leaf])
            case .authority: (.publicKey, [world.intermediate])
            }
        let policy = AFSecurityPolicy(
            pinningMode: mode,
            allowInvalidCertificates: allowsInvalid,
            validatesDomainName: checksName,
            pinnedCertificates: certificates
        )
        return LabPolicy("class", "the client of the class") { _ in policy }
    }
}
