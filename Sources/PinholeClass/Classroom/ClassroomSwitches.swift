import PinholeCrypto
import PinholeLab
import PinholeTrust

/// The settings of an experiment, as the class chose them.
struct ClassroomSwitches: Sendable, Equatable, Codable {
    /// The man in the middle between the client and its server.
    enum Middle: String, Sendable, CaseIterable, Codable {
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
    enum Pin: String, Sendable, CaseIterable, Codable {
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

    /// Creates the switches of the first experiment.
    init() {}

    /// Reads the switches; a switch that is absent keeps its default.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        middle = try members.decodeIfPresent(Middle.self, forKey: .middle) ?? middle
        installsAuthority =
            try members.decodeIfPresent(Bool.self, forKey: .installsAuthority) ?? installsAuthority
        pin = try members.decodeIfPresent(Pin.self, forKey: .pin) ?? pin
        allowsInvalid = try members.decodeIfPresent(Bool.self, forKey: .allowsInvalid) ?? allowsInvalid
        checksName = try members.decodeIfPresent(Bool.self, forKey: .checksName) ?? checksName
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
