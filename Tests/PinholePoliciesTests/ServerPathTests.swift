import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeLab
@testable import PinholePolicies

@Suite("The certificates of a real server")
struct ServerPathTests {
    private static let worlds = Result { try LabWorld() }
    private let world: LabWorld

    init() throws { world = try Self.worlds.get() }

    private var chain: [CertificateFacts] { [world.leaf, world.intermediate] }

    private func path(_ found: [CertificateFacts], roots: [CertificateFacts]) throws -> ServerPath {
        try ServerPath(found, from: "chain.pem", roots: roots, at: world.now)
    }

    @Test("the root that servers do not send is added from the system's CAs, and reported")
    func root() throws {
        let found = try path(chain, roots: world.deviceRoots)
        #expect(found.certificates == chain + [world.root])
        #expect(
            found.notes == [
                "chain.pem: Pinhole added “\(world.root.title)” from this system's CAs, because servers do not send their root."
            ]
        )
        let whole = try path(chain + [world.root], roots: world.deviceRoots)
        #expect(whole.certificates == chain + [world.root] && whole.notes.isEmpty)
    }

    @Test("an untrusted chain is reported, with a remedy for a missing root")
    func untrusted() throws {
        let found = try path(chain, roots: [])
        #expect(found.certificates == chain && found.notes.count == 1)
        #expect(found.notes.first?.hasPrefix("This system does not trust chain.pem: ") == true)
        #expect(found.notes.first?.hasSuffix("append the root to the chain.") == true)
        let own = try path(chain + [world.root], roots: [])
        #expect(own.notes.count == 1 && own.notes.first?.contains("append") == false)
        let asked = try ServerPath(
            chain,
            from: "the chain of a.test",
            roots: world.deviceRoots,
            at: world.now,
            fault: "the certificate names other hosts"
        )
        #expect(
            asked.notes.last
                == "This system does not trust the chain of a.test: the certificate names other hosts."
        )
        #expect(asked.certificates.last == world.root)
    }

    @Test("the server's own certificate is found, wherever it stands")
    func order() throws {
        let found = try path([world.root, world.intermediate, world.leaf], roots: world.deviceRoots)
        #expect(found.certificates == [world.leaf, world.root, world.intermediate])
        #expect(
            found.notes == [
                "chain.pem begins with a CA; Pinhole uses “\(world.leaf.title)” as the server's own certificate."
            ]
        )
        let two = try path(chain + [world.sibling.certificate.facts], roots: world.deviceRoots)
        #expect(two.certificates == chain + [world.root])
        #expect(
            two.notes.first?.contains("leaves out the certificates of other servers") == true,
            "\(two.notes)"
        )
    }

    @Test("CAs alone are refused; one certificate that signs itself is a server's where it has a name")
    func authorities() throws {
        #expect(throws: PolicyFailure.self) { try path([world.intermediate, world.root], roots: []) }
        #expect(throws: PolicyFailure.self) { try path([world.root], roots: []) }
        let key = try PrivateKey.generateP256()
        var template = LabHierarchy.authority("home", pathLength: nil, now: world.now)
        template.names = [.name("home.test")]
        let own = try template.signed(by: nil, key: key).facts
        #expect(try path([own], roots: []).certificates == [own])
        #expect(throws: PolicyFailure.self) {
            try ServerPath(content: Array("no PEM".utf8), from: "chain.pem", roots: [])
        }
    }
}
