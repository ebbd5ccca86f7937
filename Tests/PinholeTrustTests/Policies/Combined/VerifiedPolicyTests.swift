import PinholeModel
import PinholeTrust
import Testing

@Suite("The verifiers of policies")
struct VerifiedPolicyTests {
    private static let host = Host.name("www.verified.test")

    /// A policy that says by which verifier it asks, as the reason of a rejection.
    private struct Asking: TrustPolicy {
        var verifier = VerifierProfile.java
        var mechanism: String { "asking" }

        func judge(_ evidence: Evidence, with _: any ChainEvaluator) -> Judgement {
            let name = ChainQuestion(evidence, by: verifier).verifier.name.rawValue
            return Judgement(.rejected(Rejection(.pinMismatch, name)), checks: [])
        }
    }

    private func asked(_ policy: any TrustPolicy, _ chosen: VerifierProfile? = nil) -> String {
        var evidence = FakeFacts.evidence([])
        evidence.verifier = chosen
        guard
            case .rejected(let rejection) = policy.judge(evidence, with: TableEvaluator(fault: .empty))
                .verdict
        else { return "trusted" }
        return rejection.detail
    }

    @Test("the user's verifier replaces the mechanism's, and the policy's verifier wins")
    func precedence() {
        #expect(asked(Asking()) == "java")
        #expect(asked(Asking(), .go) == "go")
        #expect(asked(VerifiedPolicy(Asking(), by: .nss)) == "nss")
        #expect(asked(VerifiedPolicy(Asking(), by: .nss), .go) == "nss")
        #expect(asked(VerifiedPolicy(VerifiedPolicy(Asking(), by: .android), by: .nss)) == "android")
        #expect(asked(AllPolicy(of: [VerifiedPolicy(Asking(), by: .nss)]), .go) == "asking: nss")
    }

    @Test("each mechanism has the verifier of its platform")
    func mechanisms() throws {
        #expect(OkHttpPolicy(pins: []).verifier.name == .java)
        #expect(CurlPolicy().verifier.name == .openssl)
        #expect(try AndroidPolicy(configuration: AndroidConfiguration()).verifier == .android)
        #expect(DANEPolicy(records: []).verifier == .rfc5280)
        #expect(BrokenPolicy(.presentedSPKI).verifier.name == .java)
        for policy in [
            SystemPolicy(), AFSecurityPolicy(), AlamofireDefaultPolicy(), SPKIPolicy(pins: []),
        ] as [any TrustPolicy] {
            #expect(policy.verifier == .apple, "\(policy.mechanism)")
        }
    }

    @Test("a policy with a verifier is otherwise the same policy")
    func forwarding() throws {
        let pin = try Pin(base64: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
        let inner = OkHttpPolicy(pins: [OkHttpPin(.exact(Self.host), pin)])
        var policy = VerifiedPolicy(inner, by: .android)
        #expect(policy.mechanism == "okhttp")
        #expect(policy.isForDelegates == inner.isForDelegates)
        #expect(policy.scopes.map(\.text) == inner.scopes.map(\.text))
        #expect(policy.pinLists.map(\.values.count) == [1])
        policy.pinLists = []
        #expect(
            policy.error(for: .cleartext, at: Self.host)
                == inner.error(for: .cleartext, at: Self.host)
        )
    }

    @Test("default handling has the verifier of the policy, also in a list of hosts and in a combination")
    func defaultHandling() throws {
        let authority = Authority(host: Self.host, port: 443)
        let verified = VerifiedPolicy(OkHttpPolicy(pins: []), by: .android)
        let list = HostPolicies([([try HostPattern("www.verified.test")], verified)])
        for policy in [verified, list, AllPolicy(of: [list]), AnyPolicy(of: [list])] as [any TrustPolicy] {
            let handling = policy.defaultHandling(of: authority)
            #expect(handling.verifier == .android && handling.mechanism == "system")
            // The policy names it, so that the user's choice does not count.
            #expect(handling is VerifiedPolicy)
        }
        #expect(CurlPolicy().defaultHandling(of: authority).verifier.name == .openssl)
        let both = AllPolicy(of: [verified, VerifiedPolicy(SystemPolicy(), by: .go)]).defaultHandling(
            of: authority
        )
        #expect((both as? AllPolicy)?.policies.map(\.verifier) == [.android, .go])
        let other = Authority(host: .name("other.test"), port: 443)
        #expect(list.defaultHandling(of: other).verifier == .apple)
    }

    @Test("sound settings have the checks that the verifier makes")
    func soundSettings() throws {
        let authority = Authority(host: Self.host, port: 443)
        let inner = OkHttpPolicy(pins: [])
        let onJava = inner.soundSettings(for: authority, by: nil)
        #expect(onJava.allSatisfy { !$0.contains(.longKeys) && !$0.contains(.strongDigests) })
        #expect(onJava.allSatisfy { $0.contains(.alternativeName) })
        let onAndroid = VerifiedPolicy(inner, by: .android).soundSettings(for: authority, by: nil)
        #expect(onAndroid.allSatisfy { !$0.contains(.longKeys) && $0.contains(.strongDigests) })
        #expect(
            CurlPolicy().soundSettings(for: authority, by: nil).allSatisfy { !$0.contains(.alternativeName) }
        )
        let apple = SystemPolicy().soundSettings(for: authority, by: nil)
        #expect(apple.allSatisfy { $0.isSuperset(of: .validation) })
    }
}
