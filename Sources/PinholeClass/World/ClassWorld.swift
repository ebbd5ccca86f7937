package import PinholeCrypto
import PinholeModel

/// The certificates of one student's world.
///
/// The keys belong to the seed, so that pins are known without the student's files. Signatures are random: the
/// certificates are made once, and kept in the folder of the class.
package struct ClassWorld: Sendable {
    /// The names and tokens.
    package let names: ClassNames
    /// The roots that the phone of the student trusts: of the world's CA, of a careless CA and of a company's gateway.
    package let deviceRoots: [Certificate]
    /// The bank as it is today.
    package let bank: Identity
    /// The bank with a renewed certificate for the same key.
    package let renewed: Identity
    /// The bank with its backup key.
    package let backup: Identity
    /// A certificate for the bank by the company's gateway.
    package let gateway: Identity
    /// A certificate for the bank that another trusted CA issued to a stranger.
    package let misissued: Identity
    /// A certificate for the bank that its own CA issued to a stranger.
    package let insider: Identity
    /// The bank's shop and clinic, for lesson 1.
    package let clinic: Identity
    /// The stations of lesson 4, in the order of the worksheet.
    package let stations: [ClassStation]
    /// The lessons of the class, whose certificates are in the world.
    package let lessons: LessonChoice
    /// The certificates of single lessons, by their labels.
    private let more: [String: Identity]
    /// All chains, to keep them, by names of files that do not tell the role of a chain.
    package let chains: [String: [Certificate]]

    /// The longest time that Apple's verifier permits is 825 days.
    private static let lifetime = Duration.seconds(800 * 86_400)
    /// The time by which a renewed certificate lasts longer.
    private static let renewal = Duration.seconds(60 * 86_400)

    /// Makes a world.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - kept: The chains of an earlier start by the names of their files; missing ones are made.
    ///   - lessons: The lessons of the class.
    ///   - leaves: The certificates that single lessons add.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    init(
        _ names: ClassNames,
        kept: [String: [Certificate]] = [:],
        lessons: LessonChoice,
        leaves: [ClassLeaf]
    ) throws(CryptoFailure) {
        self.names = names
        self.lessons = lessons
        var drawer = Drawer(names: names, kept: kept)
        let own = try drawer.authorities(names.organization)
        let careless = try drawer.authorities(names.careless)
        let company = try drawer.gateway()
        deviceRoots = names.seed.shuffled("roots", [own.root, careless.root, company].map(\.certificate))
        let until = ClassNames.time(0, after: "\(names.until)T12:00:00Z")
        bank = try drawer.leaf("bank", names.bank, key: "bank", by: own.issuer, until: until)
        renewed = try drawer.leaf(
            "renewed",
            names.bank,
            key: "bank",
            by: own.issuer,
            until: until + Self.renewal
        )
        backup = try drawer.leaf(
            "backup",
            names.bank,
            key: "backup",
            by: own.issuer,
            until: until + Self.renewal
        )
        gateway = try drawer.leaf("gateway", names.bank, key: "gateway", by: company, until: until)
        misissued = try drawer.leaf(
            "misissued",
            names.bank,
            key: "stranger",
            by: careless.issuer,
            until: until
        )
        insider = try drawer.leaf("insider", names.bank, key: "insider", by: own.issuer, until: until)
        clinic = try drawer.leaf("clinic", names.clinic, key: "clinic", by: own.issuer, until: until)
        var stations: [ClassStation] = []
        for (host, role) in names.roles {
            stations.append(try drawer.station(host, role, own.issuer, careless.issuer, company))
        }
        self.stations = stations
        var more: [String: Identity] = [:]
        for leaf in leaves { more[leaf.label] = try drawer.leaf(leaf, own.issuer, until) }
        self.more = more
        chains = drawer.chains
    }

    /// Returns the certificate that a lesson adds to the world.
    ///
    /// - Parameter label: The label of its declaration.
    /// - Returns: The certificate with its key.
    /// - Throws: ``ClassFailure`` if the class does not have the lesson.
    func identity(_ label: String) throws(ClassFailure) -> Identity {
        guard let identity = more[label] else {
            throw ClassFailure("the world of this class has no certificate “\(label)”")
        }
        return identity
    }

    /// Makes certificates, or takes those of an earlier start.
    private struct Drawer {
        let names: ClassNames
        var chains: [String: [Certificate]] = [:]
        private let kept: [String: [Certificate]]

        init(names: ClassNames, kept: [String: [Certificate]]) {
            self.names = names
            self.kept = kept
        }

        /// Makes the two CAs of an organization.
        mutating func authorities(
            _ organization: String
        ) throws(CryptoFailure) -> (root: Identity, issuer: Identity) {
            let root = try authority(ClassNames.rootName(organization), organization, by: nil)
            return (root, try authority(ClassNames.issuerName(organization), organization, by: root))
        }

        /// Makes the CA of the company's gateway, which signs leaves itself.
        mutating func gateway() throws(CryptoFailure) -> Identity {
            try authority("\(names.company) Web Gateway CA", names.company, by: nil)
        }

        private mutating func authority(
            _ name: String,
            _ organization: String,
            by parent: Identity?
        ) throws(CryptoFailure) -> Identity {
            var template = CertificateTemplate(
                commonName: name,
                notBefore: ClassNames.time(0, after: "\(names.year - 10)-01-01T00:00:00Z"),
                notAfter: ClassNames.time(0, after: "\(names.year + 15)-01-01T00:00:00Z")
            )
            template.organization = organization
            template.role = .authority(pathLength: parent == nil ? 1 : 0)
            return try identity(name, key: name, template, by: parent)
        }

        /// Makes the certificate of a host.
        mutating func leaf(
            _ name: String,
            _ host: Host,
            key: String,
            by issuer: Identity,
            until: Timestamp
        ) throws(CryptoFailure) -> Identity {
            var template = CertificateTemplate(
                commonName: host.description,
                notBefore: until - ClassWorld.lifetime,
                notAfter: until
            )
            template.names = [host]
            template.purposes = [.serverAuth]
            return try identity(name, key: key, template, by: issuer)
        }

        /// Makes the certificate of a single lesson.
        mutating func leaf(
            _ leaf: ClassLeaf,
            _ own: Identity,
            _ until: Timestamp
        ) throws(CryptoFailure) -> Identity {
            let end =
                leaf.isExpired
                ? ClassNames.time(
                    names.seed.number("until \(leaf.label)", below: 300),
                    after: "\(names.year - 1)-02-01T12:00:00Z"
                )
                : until
            var template = CertificateTemplate(
                commonName: leaf.host.description,
                notBefore: end - ClassWorld.lifetime,
                notAfter: end
            )
            if leaf.purpose == .serverAuth { template.names = [leaf.host] }
            template.purposes = [leaf.purpose]
            let issuer: Identity? = leaf.issuer == .own ? own : nil
            return try identity(leaf.label, key: leaf.key ?? leaf.label, template, by: issuer)
        }

        private mutating func identity(
            _ name: String,
            key: String,
            _ template: CertificateTemplate,
            by issuer: Identity?
        ) throws(CryptoFailure) -> Identity {
            let key = try names.seed.privateKey(key)
            let file = names.seed.fileName(name)
            // Earlier versions named the files by the roles, which gave answers of lesson 4 away.
            if let chain = kept[file] ?? kept[name], let identity = try? Identity(chain: chain, key: key) {
                chains[file] = chain
                return identity
            }
            // Servers do not send the root.
            let above = issuer.map { $0.certificate.subject == $0.certificate.issuer ? [] : [$0.certificate] }
            let chain = [try template.signed(by: issuer, key: key)] + (above ?? [])
            chains[file] = chain
            return try Identity(chain: chain, key: key)
        }

        /// Makes a station of lesson 4 and the certificate of its card.
        mutating func station(
            _ host: Host,
            _ role: ClassStation.Role,
            _ own: Identity,
            _ careless: Identity,
            _ company: Identity
        ) throws(CryptoFailure) -> ClassStation {
            let name = host.description
            // An expired certificate ended in the last year.
            let until = ClassNames.time(
                names.seed.number("until \(name)", below: 300),
                after: role == .expired ? "\(names.year - 1)-02-01T12:00:00Z" : names.springOfNextYear
            )
            let card = try leaf("card \(name)", host, key: name, by: own, until: until)
            let key = role.key(of: host)
            let identity =
                switch role {
                case .honest, .expired: card
                case .renewed:
                    try leaf("new \(name)", host, key: key, by: own, until: until + ClassWorld.renewal)
                case .wrongName: try leaf("other", names.other, key: key, by: own, until: until)
                case .intercepted: try leaf("gateway \(name)", host, key: key, by: company, until: until)
                case .misissued: try leaf("stranger \(name)", host, key: key, by: careless, until: until)
                }
            return ClassStation(host: host, role: role, identity: identity, published: card.certificate)
        }
    }
}
