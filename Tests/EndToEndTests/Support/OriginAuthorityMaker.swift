import PinholeCrypto
import PinholeLab
import PinholeModel

/// Makes certificates for servers of tests.
enum OriginAuthorityMaker {
    /// A root, and a certificate for `host` that leads to it.
    static func make(_ host: Host, now: Timestamp) throws -> (root: Certificate, identity: Identity) {
        let authority = try OriginAuthority(now: now)
        return (authority.root, try authority.identity(for: VirtualHost(host), now: now))
    }
}
