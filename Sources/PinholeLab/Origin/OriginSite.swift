import PinholeCrypto
import PinholeModel

/// The data that the connections of one origin share: hosts with their certificates, and the routes.
struct OriginSite: Sendable {
    /// A host, ready to accept.
    struct Place: Sendable {
        let context: TLSContext
        let identity: Identity
        let alternative: Identity?
    }

    let routes: OriginRoutes
    /// The bounds on what clients may use.
    let bounds: OriginBounds
    /// The bytes of bodies that all connections keep.
    let bodies = OriginBodies()
    /// The SHA-256 of each host's SubjectPublicKeyInfo, in Base64.
    let pins: [Host: String]
    private let places: [String: Place]
    private let first: Place

    init(
        _ hosts: [VirtualHost],
        routes: OriginRoutes,
        authority: OriginAuthority,
        bounds: OriginBounds,
        now: Timestamp
    ) throws(CryptoFailure) {
        self.routes = routes
        self.bounds = bounds
        var places: [String: Place] = [:]
        var pins: [Host: String] = [:]
        var first: Place?
        for host in hosts {
            var options = host.options
            if host.demandsClientCertificate { options.clientAnchors.append(authority.root) }
            let place = Place(
                context: try TLSContext(accepting: options),
                identity: try authority.identity(for: host, now: now),
                alternative: host.alternative
            )
            first = first ?? place
            pins[host.name] = Base64.encode(place.identity.certificate.spkiSHA256)
            if let name = host.name.name { places[name] = place }
        }
        guard let first else { throw CryptoFailure("an origin needs at least one host") }
        self.places = places
        self.pins = pins
        self.first = first
    }

    /// Makes the engine for a client that asked for `serverName`; for an unknown name, that of the first host.
    func engine(for serverName: String?) throws(CryptoFailure) -> TLSEngine {
        let name = serverName?.lowercased() ?? ""
        let place = places[name] ?? first
        let engine = try TLSEngine(
            accepting: place.context,
            presenting: place.identity,
            scope: name,
            applicationProtocol: "http/1.1"
        )
        if let alternative = place.alternative { try engine.present(alternative) }
        return engine
    }
}
