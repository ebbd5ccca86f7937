import PinholeModel
import Testing

@testable import PinholeCrypto

@Suite("Identity")
struct IdentityTests {
    private let brought: BroughtChain

    init() throws { brought = try BroughtChain(now: .noon) }

    private var chain: [Certificate] { [brought.issuing, brought.middle, brought.root] }

    @Test("orders the certificates of a PEM text, leaf first")
    func orders() throws {
        let key = try brought.issuingKey.pem
        for text in [
            brought.root.pem + brought.middle.pem + brought.issuing.pem + key,
            key + brought.middle.pem + brought.issuing.pem + brought.root.pem,
            brought.issuing.pem + key + brought.root.pem + brought.middle.pem + brought.root.pem,
        ] {
            #expect(try Identity(pem: text).chain == chain)
        }
        let withoutRoot = try Identity(pem: brought.middle.pem + key + brought.issuing.pem)
        #expect(withoutRoot.chain == Array(chain.dropLast()))
        #expect(try Identity(pem: withoutRoot.pem).chain == withoutRoot.chain)
    }

    @Test("names the certificates that do not belong to the chain")
    func unrelated() throws {
        let key = try brought.issuingKey.pem
        let other = try BroughtChain(now: .noon)
        // The same names but other keys: only the signature tells them apart.
        for text in [
            brought.issuing.pem + brought.middle.pem + other.root.pem + key,
            brought.issuing.pem + brought.root.pem + key,
        ] {
            let failure = #expect(throws: CryptoFailure.self) { try Identity(pem: text) }
            #expect(
                failure?.description.contains("take out of the file: “CN=Brought root” (issued by") == true,
                "\(failure?.description ?? "")"
            )
        }
        let failure = #expect(throws: CryptoFailure.self) { try Identity(pem: other.issuing.pem + key) }
        #expect(
            failure?.description.contains("(P-256) belongs to none of the certificates: “CN=Brought") == true
        )
    }

    @Test("leaves no error in the queue when all went well")
    func queue() throws {
        let identity = try Identity(pem: try brought.issuingKey.pem + chain.map(\.pem).joined())
        _ = try Identity(pkcs12: identity.pkcs12(passphrase: ""), passphrase: "")
        let minter = LeafMinter(authority: try CertificateAuthority(identity: identity))
        _ = try minter.mint(LeafRequest(names: [.name("a.example")]), now: .noon)
        _ = try TrustStore.pkcs12(identity.chain)
        #expect(OpenSSLQueue.drain() == [])
    }

    @Test("takes the longer of two chains of one key")
    func crossSigned() throws {
        var template = CertificateTemplate(commonName: "self", notBefore: .noon, notAfter: .noon + .days(1))
        template.role = .authority(pathLength: nil)
        let rootKey = try PrivateKey.generateP256()
        let root = try Identity(chain: [template.signed(by: nil, key: rootKey)], key: rootKey)
        let key = try PrivateKey.generateP256()
        template.commonName = "cross"
        let cross = try template.signed(by: root, key: key)
        let again = try template.signed(by: root, key: key)
        let text = try cross.pem + root.certificate.pem + key.pem
        #expect(try Identity(pem: text).chain == [cross, root.certificate])
        #expect(throws: CryptoFailure.self) { try Identity(pem: text + again.pem) }
    }

    @Test("refuses an empty chain and a foreign key")
    func refuses() throws {
        #expect(throws: CryptoFailure.self) { try Identity(chain: [], key: brought.issuingKey) }
        #expect(throws: CryptoFailure.self) { try Identity(chain: [brought.root], key: brought.issuingKey) }
    }

    @Test("goes through PKCS#12 and back")
    func pkcs12() throws {
        let identity = try Identity(chain: chain, key: brought.issuingKey)
        for passphrase in ["", "secret", "p\u{e4}ss w\u{f6}rd"] {
            let bytes = try identity.pkcs12(passphrase: passphrase)
            let read = try Identity(pkcs12: bytes, passphrase: passphrase)
            #expect(read.chain == chain)
            #expect(read.key.spki == brought.issuingKey.spki)
        }
    }

    @Test("tells a wrong passphrase from a damaged file and one without a key")
    func pkcs12Refusals() throws {
        let bytes = try Identity(chain: chain, key: brought.issuingKey).pkcs12(passphrase: "secret")
        for (bytes, words) in [
            (bytes, "the passphrase does not fit"), ([1, 2, 3], "expected a PKCS#12 file"),
            (Array(bytes.prefix(100)), "expected a PKCS#12 file"),
            (try TrustStore.pkcs12([brought.root], passphrase: "wrong"), "holds no private key"),
        ] {
            let failure = #expect(throws: CryptoFailure.self) {
                try Identity(pkcs12: bytes, passphrase: "wrong")
            }
            #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
        }
    }

    @Test("says how to convert a PKCS#12 file of old algorithms", .enabled(if: Tool(name: "openssl").isThere))
    func oldAlgorithms() throws {
        let directory = try TemporaryDirectory()
        let pem = try directory.write(
            Identity(chain: chain, key: brought.issuingKey).pem,
            to: "i.pem",
            mode: 0o600
        )
        let store = "\(directory.path)/old.p12"
        let result = try Tool(name: "openssl").run([
            "pkcs12", "-export", "-legacy", "-in", pem, "-out", store, "-passout", "pass:x",
        ])
        // The legacy provider is a module that not every system has.
        guard result.code == 0 else { return }
        let bytes = try bytesOfFile(store)
        let failure = #expect(throws: CryptoFailure.self) { try Identity(pkcs12: bytes, passphrase: "x") }
        #expect(failure?.description.contains("openssl pkcs12 -legacy -in OLD.p12") == true)
    }

    @Test("reads the output of openssl", .enabled(if: Tool(name: "openssl").isThere))
    func foreign() throws {
        let directory = try TemporaryDirectory()
        let pem = try directory.write(
            Identity(chain: chain, key: brought.issuingKey).pem,
            to: "i.pem",
            mode: 0o600
        )
        let store = "\(directory.path)/i.p12"
        let result = try Tool(name: "openssl").run([
            "pkcs12", "-export", "-in", pem, "-out", store, "-passout", "pass:x",
        ])
        #expect(result.code == 0, "\(result.output)")
        let bytes = try bytesOfFile(store)
        #expect(try Identity(pkcs12: bytes, passphrase: "x").chain == chain)
    }
}
