import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

/// The rules in which the platforms differ, each by a chain that only some of them accept.
@Suite("VerifierProfile")
struct VerifierProfileTests {
    /// A root, an intermediate and a leaf for `www.profile.test`.
    private struct Chain {
        var root = Self.template("Profile Root")
        var intermediate = Self.template("Profile CA")
        var leaf = Self.template("www.profile.test")

        init() {
            root.role = .authority(pathLength: nil)
            intermediate.role = .authority(pathLength: nil)
            leaf.names = [.name("www.profile.test")]
            leaf.purposes = [.serverAuth]
        }

        private static func template(_ name: String) -> CertificateTemplate {
            let day = Duration.seconds(86_400)
            return CertificateTemplate(
                commonName: name,
                notBefore: FakeFacts.now - day * 30,
                notAfter: FakeFacts.now + day * 30
            )
        }

        /// The names of the profiles that accept the chain.
        func accepting() throws -> Set<String> {
            let rootKey = try PrivateKey.generateP256()
            let top = try Identity(chain: [root.signed(by: nil, key: rootKey)], key: rootKey)
            let middleKey = try PrivateKey.generateP256()
            let middle = try Identity(chain: [intermediate.signed(by: top, key: middleKey)], key: middleKey)
            let server = try leaf.signed(by: middle, key: PrivateKey.generateP256())
            let presented = [server.facts, middle.certificate.facts]
            let verifier = ChainVerifier()
            let accepting = VerifierProfile.Name.allCases.filter { name in
                var question = ChainQuestion(
                    Evidence(
                        host: .name("www.profile.test"),
                        presented: PresentedChain(presented),
                        anchors: [top.certificate.facts],
                        time: FakeFacts.now
                    ),
                    by: .named(name)
                )
                question.securityLevel = 0
                return verifier.evaluate(question).isValid
            }
            return Set(accepting.map(\.rawValue))
        }
    }

    private static let all = Set(VerifierProfile.Name.allCases.map(\.rawValue))

    @Test("every profile accepts a sound chain")
    func sound() throws {
        #expect(try Chain().accepting() == Self.all)
    }

    @Test("each name selects the profile of that name")
    func names() {
        for name in VerifierProfile.Name.allCases { #expect(VerifierProfile.named(name).name == name) }
    }

    @Test("no profile accepts a leaf that expired, is for clients or for another host")
    func unsound() throws {
        var expired = Chain()
        expired.leaf.notAfter = FakeFacts.now - .seconds(1)
        #expect(try expired.accepting() == [])
        var client = Chain()
        client.leaf.purposes = [.clientAuth]
        #expect(try client.accepting() == [])
        var stranger = Chain()
        stranger.leaf.names = [.name("other.profile.test")]
        #expect(try stranger.accepting() == [])
    }

    @Test("no profile accepts more authorities than the path length permits, or an issuer that is none")
    func authorities() throws {
        var leaf = Chain()
        leaf.intermediate.role = .leaf
        #expect(try leaf.accepting() == [])
    }

    @Test("the dates of an anchor count for some platforms only")
    func expiredAnchor() throws {
        var chain = Chain()
        chain.root.notAfter = FakeFacts.now - .seconds(1)
        #expect(try chain.accepting() == ["rfc5280", "java", "android"])
    }

    @Test("the purposes of an authority limit the leaf for some platforms only")
    func purposesOfAuthority() throws {
        var chain = Chain()
        chain.intermediate.purposes = [.clientAuth]
        #expect(try chain.accepting() == ["java", "android", "nss"])
    }

    @Test("the common name counts where the platform reads it")
    func commonName() throws {
        var chain = Chain()
        chain.leaf.names = []
        #expect(try chain.accepting() == ["openssl", "java", "gnutls", "nss"])
    }

    @Test("names outside of the constraints of an authority are refused by every profile")
    func nameConstraints() throws {
        var chain = Chain()
        var constraints = NameConstraints()
        constraints.permittedNames = ["profile.test"]
        chain.intermediate.constraints = constraints
        #expect(try chain.accepting() == Self.all)
        constraints.permittedNames = ["other.test"]
        chain.intermediate.constraints = constraints
        #expect(try chain.accepting() == [])
    }

    @Test("a fault names the verifier that asked")
    func fault() throws {
        let certificate = try TestPKI.selfSigned("alone.test", key: PrivateKey.generateP256())
        let question = ChainQuestion(
            Evidence(host: nil, presented: PresentedChain([certificate]), anchors: [], time: FakeFacts.now),
            by: .java
        )
        let fault = ChainVerifier().evaluate(question).fault
        #expect(fault?.kind == .selfSigned)
        #expect(fault?.detail.hasSuffix("(verifier java)") == true)
    }
}
