/// Every source file has a test file of its own: `Sources/X/…/F.swift` has `Tests/XTests/…/FTests.swift`.
enum MirrorRule {
    /// The targets that the rule holds for: what can be tested without a socket.
    static let targets = LayeringRule.pureTargets.union(["PinholeCrypto", "PinholeHTTP2"])

    /// Targets that have no tests at all yet; a row whose test folder exists is an error.
    static let untested: Set<String> = []

    /// Sources without a test file, and why: a reason, or the test file that they are seen through.
    ///
    /// A row whose test exists, or whose source does not, is an error.
    static let exceptions: [String: String] = [
        "PinholeCrypto/Authority/AuthorityFailure.swift": "AuthorityDirectoryTests",
        "PinholeCrypto/Authority/IdentityProvider.swift": "LeafMinterTests",
        "PinholeCrypto/Authority/LeafProfile.swift": "LeafVerifierTests",
        "PinholeCrypto/Authority/LeafRequest.swift": "LeafMinterTests",
        "PinholeCrypto/Core/CryptoFailure.swift": "seen through every wrapper that fails",
        "PinholeCrypto/Core/Digest.swift": "its tests are still to come",
        "PinholeCrypto/Core/Handles.swift": "frees C objects; seen by AddressSanitizer",
        "PinholeCrypto/Core/MemoryBIO.swift": "PEMTests",
        "PinholeCrypto/Core/PosixFile.swift": "AuthorityDirectoryTests",
        "PinholeCrypto/Core/Timestamp+ASN1.swift": "CertificateTests",
        "PinholeCrypto/Forgery/ASN1.swift": "ForeignJudgesTests",
        "PinholeCrypto/Forgery/CraftedCertificate.swift": "ForeignJudgesTests",
        "PinholeCrypto/Forgery/CraftedStatusResponse.swift": "RevocationCheckTests",
        "PinholeCrypto/TLS/ServerVerification.swift": "TLSEngineTests",
        "PinholeCrypto/TLS/TLSCallbacks.swift": "TLSEngineTests",
        "PinholeCrypto/TLS/TLSChannel.swift": "TLSEngineTests",
        "PinholeCrypto/TLS/TLSDeliberation.swift": "DeliberationTests",
        "PinholeCrypto/TLS/TLSConnectionHandle.swift": "TLSEngineTests",
        "PinholeCrypto/TLS/TLSFailure.swift": "TLSEngineTests",
        "PinholeCrypto/TLS/TLSSession.swift": "TLSEngineTests",
        "PinholeCrypto/TLS/ServerOptions.swift": "TLSContextTests",
        "PinholeCrypto/TLS/TLSStrength.swift": "TLSContextTests",
        "PinholeCrypto/TLS/TLSVersion.swift": "TLSEngineTests",
        "PinholeCrypto/TLS/TrustAnchors.swift": "TLSEngineTests",
        "PinholeCrypto/Trust/ChainFault+OpenSSL.swift": "ChainVerifierTests",
        "PinholeCrypto/Trust/ChainInquiry.swift": "PathSearchTests",
        "PinholeCrypto/Trust/Evidence+Staple.swift": "RevocationCheckTests",
        "PinholeCrypto/Trust/RevocationList.swift": "RevocationCheckTests",
        "PinholeCrypto/Trust/StapledResponse.swift": "RevocationCheckTests",
        "PinholeCrypto/Trust/VerificationRun.swift": "ChainVerifierTests",
        "PinholeCrypto/X509/CertificateExtension.swift": "CertificateTests",
        "PinholeCrypto/X509/CertificateTemplate.swift": "LeafVerifierTests",
        "PinholeCrypto/X509/ChainBuilder.swift": "its tests are still to come",
        "PinholeCrypto/X509/KeyAlgorithm.swift": "PrivateKeyTests",
        "PinholeFilter/Evaluation/AssetType.swift": "RecordFactsTests",
        "PinholeFilter/Evaluation/ExchangeRecord+Facts.swift": "RecordFactsTests",
        "PinholeFilter/Evaluation/FilterFacts.swift": "FilterJudgeTests",
        "PinholeFilter/Evaluation/FlowRecord+Facts.swift": "RecordFactsTests",
        "PinholeFilter/Evaluation/Truth.swift": "FilterJudgeTests",
        "PinholeFilter/Language/FilterFlag.swift": "RecordFactsTests",
        "PinholeFilter/Language/FilterNode.swift": "FilterTests",
        "PinholeFilter/Language/FilterScanner.swift": "FilterParserTests",
        "PinholeFilter/Language/MitmproxyOperator.swift": "FilterParserTests",
        "PinholeFilter/Language/NumberField.swift": "RecordFactsTests",
        "PinholeFilter/Language/Suggestion.swift": "FilterParserTests",
        "PinholeFilter/Language/TextField.swift": "RecordFactsTests",
        "PinholeFilter/Language/TextTest.swift": "FilterJudgeTests",
        "PinholeFilter/Pattern/PatternFailure.swift": "PatternParserTests",
        "PinholeFilter/Pattern/PatternNode.swift": "PatternSearchTests",
        "PinholeFilter/Pattern/PatternProgram.swift": "PatternSearchTests",
        "PinholeFilter/Text/FilterPrinter.swift": "FilterTests",
        "PinholeFilter/Pattern/PatternMatcher.swift": "SubstitutionTests",
        "PinholeModel/Flow/RuleHit.swift": "RuleBookTests",
        "PinholeRules/Bodies/HeldMessage.swift": "TunnelStack+HoldingTests",
        "PinholeRules/Bodies/MessageChange.swift": "TunnelStack+HoldingTests",
        "PinholeRules/Bodies/MessageTask.swift": "BodyEditTests",
        "PinholeRules/Planning/RequestPlan.swift": "RuleBookTests",
        "PinholeRules/Planning/RequestPlan+Applying.swift": "RuleBookTests",
        "PinholeRules/Planning/ResponsePlan.swift": "RuleBookTests",
        "PinholeRules/Planning/ResponsePlan+Applying.swift": "RuleBookTests",
        "PinholeRules/Planning/RuleFacts.swift": "RuleBookTests",
        "PinholeRules/Planning/RuleJudge.swift": "RuleBookTests",
        "PinholeRules/Planning/RuleRequest.swift": "RuleBookTests",
        "PinholeRules/Planning/RuleResponse.swift": "RuleBookTests",
        "PinholeRules/Reading/Messages+Reading.swift": "Rule+ReadingTests",
        "PinholeRules/Reading/DocumentValue+Fields.swift": "Rule+ReadingTests",
        "PinholeRules/Reading/MessageEdits+Reading.swift": "Rule+ReadingTests",
        "PinholeRules/Reading/RuleAction+Reading.swift": "Rule+ReadingTests",
        "PinholeRules/Rules/Breakpoint.swift": "Rule+ReadingTests",
        "PinholeRules/Rules/FieldEdit.swift": "RuleBookTests",
        "PinholeRules/Rules/FieldText.swift": "FieldLineTests",
        "PinholeRules/Rules/MockAnswer.swift": "Rule+ReadingTests",
        "PinholeRules/Rules/PercentCoding.swift": "LocalMapTests",
        "PinholeRules/Rules/Redirection.swift": "RuleBookTests",
        "PinholeRules/Rules/ProgramCall.swift": "ProgramDeclaration+ReadingTests",
        "PinholeRules/Rules/ProgramDeclaration.swift": "ProgramDeclaration+ReadingTests",
        "PinholeRules/Rules/RemoteMap.swift": "RuleBookTests",
        "PinholeRules/Rules/RequestEdit.swift": "RuleBookTests",
        "PinholeRules/Rules/ResponseEdit.swift": "RuleBookTests",
        "PinholeRules/Rules/Rule.swift": "Rule+ReadingTests",
        "PinholeRules/Rules/RuleAction.swift": "Rule+ReadingTests",
        "PinholeRules/Rules/RuleKind.swift": "Rule+ReadingTests",
        "PinholeRules/Rules/RuleRemark.swift": "RuleSet+CheckTests",
        "PinholeRules/Rules/RuleSet.swift": "Rule+ReadingTests",
        "PinholeRules/Rules/ThrottlePreset.swift": "ThrottlingTests",
        "PinholeRules/Rules/SplitMix.swift": "ThrottlingTests",
        "PinholeProxy/Rules/Consultation.swift": "Tunnel+RulesTests",
        "PinholeProxy/Rules/Decision.swift": "Tunnel+RulesTests",
        "PinholeProxy/Rules/HeldBudget.swift": "MultiplexStack+HoldingTests",
        "PinholeProxy/Rules/Interceptor.swift": "a protocol; what implements it is seen from end to end",
        "PinholeProxy/Rules/RequestPlan+Step.swift": "Tunnel+RulesTests",
        "PinholeProxy/Stack/HeldBody.swift": "TunnelStack+HoldingTests",
        "PinholeProxy/Tunnel/Tunnel+Holding.swift": "TunnelStack+HoldingTests",
        "PinholeProxy/Handshake/FlowRecord+ClientEnd.swift": "HandshakeStackTests",
        "PinholeProxy/Handshake/ServerHandshake.swift": "HandshakeStackTests",
        "PinholeProxy/Multiplex/Lane.swift": "MultiplexerTests",
        "PinholeProxy/Multiplex/LaneState.swift": "MultiplexStackTests",
        "PinholeProxy/Multiplex/LinkStack.swift": "MultiplexStackTests",
        "PinholeProxy/Multiplex/MultiplexCommand.swift": "MultiplexerTests",
        "PinholeProxy/Multiplex/MultiplexEvent.swift": "MultiplexerTests",
        "PinholeProxy/Multiplex/HandedRequest.swift": "Tunnel+ReverseTests",
        "PinholeProxy/Multiplex/MultiplexSeed.swift": "HandshakeStackTests",
        "PinholeProxy/Multiplex/StreamPort.swift": "StreamTunnelTests",
        "PinholeModel/Flow/InboundTransport.swift": "InboundTests",
        "PinholeModel/Flow/ListenerKind.swift": "SOCKSTests",
        "PinholeProxy/Tunnel/SOCKSAnswer.swift": "SOCKSTests",
        "PinholeProxy/Tunnel/Tunnel+SOCKS.swift": "SOCKSTests",
        "PinholeWire/Hop/HopRefusal.swift": "SOCKSConnectorTests",
        "PinholeWire/SOCKS/SOCKSFailure.swift": "SOCKSAcceptorTests",
        "PinholeWire/SOCKS/SOCKSReply.swift": "SOCKSAcceptorTests",
        "PinholeWire/SOCKS/SOCKSVersion.swift": "SOCKSAcceptorTests",
        "PinholeWire/HTTP1/ReasonPhrase.swift": "StreamResponseHeadTests",
        "PinholeWire/HTTP2/StreamHeadFailure.swift": "StreamRequestHeadTests",
        "PinholeHTTP2/Core/ByteQueue+Buffer.swift": "HTTP2SessionTests",
        "PinholeHTTP2/Core/EventQueue.swift": "HTTP2FloodTests",
        "PinholeHTTP2/Core/HTTP2Callbacks.swift": "FrameConformanceTests",
        "PinholeHTTP2/Core/HTTP2Channel+Receiving.swift": "FrameTypeConformanceTests",
        "PinholeHTTP2/Core/HTTP2Channel+Sending.swift": "HTTP2FlowTests",
        "PinholeHTTP2/Core/HTTP2Channel.swift": "HTTP2LifeTests",
        "PinholeHTTP2/Core/HTTP2SessionHandle.swift": "HTTP2SessionTests",
        "PinholeHTTP2/Core/HTTP2Settings+Library.swift": "FrameTypeConformanceTests",
        "PinholeHTTP2/Core/HTTP2Stream.swift": "HTTP2FlowTests",
        "PinholeHTTP2/Core/HTTP2Text.swift": "HTTP2LifeTests",
        "PinholeHTTP2/Core/HeadBuilder.swift": "HTTP2FloodTests",
        "PinholeHTTP2/Core/HeaderFields+NameValues.swift": "HPACKConformanceTests",
        "PinholeHTTP2/Core/HeaderFields+Rules.swift": "HTTP2LifeTests",
        "PinholeHTTP2/HTTP2Event.swift": "HTTP2SessionTests",
        "PinholeHTTP2/HTTP2Failure.swift": "HTTP2FloodTests",
        "PinholeHTTP2/HTTP2Limits.swift": "numbers; seen where each one is applied",
        "PinholeHTTP2/HTTP2Settings.swift": "FrameTypeConformanceTests",
        "PinholeModel/Bytes/BufferPool.swift": "its tests come with the stack",
        "PinholeModel/Document/DocumentFailure.swift": "DocumentValueTests",
        "PinholeModel/Document/JSONValue.swift": "JSONReaderTests",
        "PinholeModel/Flow/BodyArrival.swift": "stored values; seen through the store",
        "PinholeModel/Flow/ClientEnd.swift": "stored values; seen through the tunnel",
        "PinholeModel/Flow/ClientProcess.swift": "stored values; seen through the store",
        "PinholeModel/Flow/DurationCoding.swift": "seen through the store",
        "PinholeModel/Flow/ExchangeRecord.swift": "stored values; seen through the store",
        "PinholeModel/Flow/FlowRecord.swift": "stored values; seen through the store",
        "PinholeModel/Flow/FlowSink.swift": "a protocol; seen through the store",
        "PinholeModel/Flow/HandshakeRecord.swift": "stored values; seen through the store",
        "PinholeModel/Flow/WebSocketMessage.swift": "stored values; seen through WebSocketTap",
        "PinholeModel/Limits.swift": "numbers; seen where each one is applied",
        "PinholeModel/Shared.swift": "one stored value",
        "PinholeModel/Side.swift": "two cases",
        "PinholeProxy/Answers/HTML.swift": "ErrorPageTests",
        "PinholeProxy/Answers/ServerFaultPage.swift": "HandshakeStackTests",
        "PinholeProxy/Policy/Arrival.swift": "Tunnel+TransparentTests",
        "PinholeProxy/Policy/Diversion.swift": "ListeningPointParsingTests",
        "PinholeProxy/Policy/ProxyPolicy.swift": "numbers and rules; seen through the tunnel",
        "PinholeProxy/Stack/TunnelEnvironment.swift": "HandshakeStackTests",
        "PinholeProxy/WebSocket/WebSocketEditorLane.swift": "WebSocketEditorTests",
        "PinholeProxy/WebSocket/WebSocketOutput.swift": "WebSocketEditorTests",
        "PinholeProxy/WebSocket/WebSocketRelay.swift": "WebSocketEditorTests",
        "PinholeProxy/WebSocket/WebSocketRun.swift": "WebSocketEditorTests",
        "PinholeRules/Planning/MessageRules.swift": "MessageMatchTests",
        "PinholeProxy/WebSocket/WebSocketKeeper.swift": "WebSocketTapTests",
        "PinholeProxy/WebSocket/WebSocketLane.swift": "WebSocketTapTests",
        "PinholeProxy/Tunnel/DialFailure.swift": "ConnectTests",
        "PinholeProxy/Tunnel/Tunnel+Closing.swift": "ClosingTests",
        "PinholeProxy/Tunnel/Tunnel+Exchanging.swift": "ExchangeTests",
        "PinholeProxy/Tunnel/Tunnel+Inbound.swift": "InboundTests",
        "PinholeProxy/Tunnel/Tunnel+Opening.swift": "ConnectTests",
        "PinholeProxy/Tunnel/Tunnel.swift": "ClosingTests",
        "PinholeProxy/Tunnel/TunnelCommand.swift": "ClosingTests",
        "PinholeProxy/Tunnel/TunnelEvent.swift": "ClosingTests",
        "PinholeTrust/Evidence/CertificateFacts.swift": "values; seen where policies compare them",
        "PinholeTrust/Evidence/ChainEvaluator.swift": "a question and its answer; seen through ChainVerifier",
        "PinholeTrust/Evidence/Chains.swift": "two wrappers",
        "PinholeTrust/Evidence/Evidence.swift": "values; seen where policies judge them",
        "PinholeTrust/Evidence/PathSet.swift": "a list and a flag; seen through PathSearch",
        "PinholeTrust/Evidence/RevocationFinding.swift": "RevocationCheckTests",
        "PinholeTrust/Evidence/TimestampCollection.swift": "CTRequiredPolicyTests",
        "PinholeTrust/Pins/DirectiveScanner.swift": "HPKPHeaderTests",
        "PinholeTrust/Policies/Alamofire/AlamofireCompositePolicy.swift": "AlamofireEvaluatorTests",
        "PinholeTrust/Policies/Alamofire/AlamofireDefaultPolicy.swift": "AlamofireEvaluatorTests",
        "PinholeTrust/Policies/Alamofire/AlamofireDisabledPolicy.swift": "AlamofireEvaluatorTests",
        "PinholeTrust/Policies/Alamofire/AlamofirePinnedCertificatesPolicy.swift": "AlamofireEvaluatorTests",
        "PinholeTrust/Policies/Alamofire/AlamofirePublicKeysPolicy.swift": "AlamofireEvaluatorTests",
        "PinholeTrust/Policies/Alamofire/AlamofireRevocationPolicy.swift": "AlamofireEvaluatorTests",
        "PinholeTrust/Policies/Apple/SecTrustModel.swift": "AFSecurityPolicyTests",
        "PinholeTrust/Policies/Combined/AllPolicy.swift": "CombinedPoliciesTests",
        "PinholeTrust/Policies/Combined/AnyPolicy.swift": "CombinedPoliciesTests",
        "PinholeTrust/Policies/Combined/HostPolicies.swift": "CombinedPoliciesTests",
        "PinholeTrust/Policies/DANE/DANEEvaluation.swift": "DANEPolicyTests",
        "PinholeTrust/Policies/Pinned/CertificatePolicy.swift": "SPKIPolicyTests",
        "PinholeTrust/Policies/Pinned/PinScope.swift": "SPKIPolicyTests",
        "PinholeTrust/Policies/Pinned/RawKeyPolicy.swift": "SPKIPolicyTests",
        "PinholeTrust/Policies/PolicyFailure.swift": "seen through every notation that is refused",
        "PinholeTrust/Policies/Support/ChainText.swift": "SPKIPolicyTests",
        "PinholeTrust/Policies/Support/Hexadecimal.swift": "TLSARecordTests",
        "PinholeTrust/Policies/Support/JudgementBuilder.swift": "SystemPolicyTests",
        "PinholeTrust/Policies/Support/PinMismatch.swift": "SPKIPolicyTests",
        "PinholeTrust/Policies/System/AnchorsOnlyPolicy.swift": "SystemPolicyTests",
        "PinholeTrust/Policies/System/BasicX509Policy.swift": "SystemPolicyTests",
        "PinholeTrust/Policies/TrustPolicy.swift": "a protocol",
        "PinholeTrust/Verdict/Judgement.swift": "values; seen through every policy",
        "PinholeTrust/Verdict/Verdict.swift": "values; seen through every policy",
        "PinholeTrust/Evidence/CertificateFacts+KeyTitle.swift": "TrustKitPolicyTests",
        "PinholeTrust/Evidence/ConnectionFacts.swift": "AppleTransportSecurityTests",
        "PinholeTrust/Lint/Alamofire+Outline.swift": "MechanismOutlineTests",
        "PinholeTrust/Lint/Combined+Outline.swift": "MechanismOutlineTests",
        "PinholeTrust/Lint/LintFinding+Common.swift": "MechanismOutlineTests",
        "PinholeTrust/Lint/LintFinding.swift": "PolicyLintTests",
        "PinholeTrust/Lint/Pinned+Outline.swift": "MechanismOutlineTests",
        "PinholeTrust/Lint/System+Outline.swift": "MechanismOutlineTests",
        "PinholeTrust/Lint/PolicyOutline.swift": "PolicyLintTests",
        "PinholeTrust/Lint/TrustKitDomain+Shortage.swift": "ExaminedFilesTests",
        "PinholeTrust/Policies/Android/AndroidConfiguration.swift": "AndroidPolicyTests",
        "PinholeTrust/Policies/Android/AndroidEffectiveSettings.swift": "AndroidPolicyTests",
        "PinholeTrust/Policies/Apple/ApplePinnedDomain.swift": "ApplePolicyTests",
        "PinholeTrust/Policies/TrustKit/TrustKitDomain.swift": "TrustKitPolicyTests",
        "PinholeTrust/Transplant/Android+Pins.swift": "PinningPolicyTests",
        "PinholeTrust/Transplant/Apple+Pins.swift": "PinningPolicyTests",
        "PinholeTrust/Transplant/Combined+Pins.swift": "PinningPolicyTests",
        "PinholeTrust/Transplant/Pinned+Pins.swift": "PinningPolicyTests",
        "PinholeTrust/Transplant/PinnedList.swift": "PinningPolicyTests",
        "PinholeWire/WebSocket/WebSocketClose.swift": "WebSocketReaderTests",
        "PinholeWire/WebSocket/WebSocketElement.swift": "WebSocketReaderTests",
        "PinholeWire/WebSocket/WebSocketFailure.swift": "WebSocketReaderTests",
        "PinholeWire/WebSocket/WebSocketFrameHead.swift": "WebSocketReaderTests",
        "PinholeWire/WebSocket/WebSocketMaskKey.swift": "WebSocketWriterTests",
        "PinholeWire/WebSocket/WebSocketOpcode.swift": "WebSocketReaderTests",
        "PinholeWire/Protobuf/DescriptorField.swift": "ProtobufSchemaTests",
        "PinholeWire/Protobuf/ProtobufBudget.swift": "ProtobufGuessTests",
        "PinholeWire/Protobuf/ProtobufFailure.swift": "ProtobufReaderTests",
        "PinholeWire/Protobuf/ProtobufNode.swift": "ProtobufDecoderTests",
        "PinholeWire/Stream/ServerSentEvent.swift": "StreamCutterTests",
        "PinholeWire/Stream/StreamFrame.swift": "StreamCutterTests",
        "PinholeWire/Stream/StreamMessage.swift": "StreamCutterTests",
        "PinholeWire/HTTP1/BodyFraming.swift": "HTTP1ReaderTests",
        "PinholeWire/HTTP1/ChunkLine.swift": "HTTP1ReaderTests",
        "PinholeWire/HTTP1/FieldParser.swift": "HTTP1ReaderTests",
        "PinholeWire/HTTP1/FramingFields.swift": "HTTP1ReaderTests",
        "PinholeWire/HTTP1/HTTP1Element.swift": "HTTP1ReaderTests",
        "PinholeWire/HTTP1/HTTPVersion.swift": "HTTP1ReaderTests",
        "PinholeWire/HTTP1/HeadScanner.swift": "HTTP1ReaderTests",
        "PinholeWire/HTTP1/HopByHop.swift": "HTTP1WriterTests",
        "PinholeWire/HTTP1/HostField.swift": "RequestHeadTests",
        "PinholeWire/HTTP1/HostRules.swift": "RequestHeadTests",
        "PinholeWire/HTTP1/OriginForm.swift": "RequestHeadTests",
        "PinholeWire/HTTP1/Persistence.swift": "HTTP1WriterTests",
        "PinholeWire/HTTP1/RequestTarget.swift": "RequestHeadTests",
        "PinholeWire/HTTP1/ResponseHead.swift": "HTTP1ReaderTests",
        "PinholeWire/HTTP1/StartLine.swift": "HTTP1ReaderTests",
        "PinholeWire/HTTP1/TrailerRules.swift": "HTTP1ReaderTests",
        "PinholeWire/HTTP1/WriterChecks.swift": "HTTP1WriterTests",
        "PinholeWire/TLS/ByteCursor.swift": "ClientHelloTests",
        "PinholeWire/TLS/ClientHelloRecord+Fingerprint.swift": "ClientHelloTests",
    ]

    /// What breaks the rule.
    ///
    /// - Parameters:
    ///   - sources: The files below `Sources`.
    ///   - tests: The files below `Tests`.
    ///   - exceptions: Sources that need no test, by path below `Sources`.
    ///   - untested: Targets that need no tests yet.
    /// - Returns: Missing tests, and exceptions that are not true.
    static func findings(
        sources: [SourceFile],
        tests: [SourceFile],
        exceptions: [String: String] = exceptions,
        untested: Set<String> = untested
    ) -> [Finding] {
        var unused = exceptions
        var findings = tests.filter { test in untested.contains { test.path.hasPrefix("Tests/\($0)Tests/") } }
            .prefix(1).map { Finding($0, "its target is not untested any more; take it out of the list") }
        for file in sources {
            let parts = file.components.dropFirst()
            guard let target = parts.first, targets.contains(target), !untested.contains(target),
                declaresSomething(file)
            else { continue }
            let reason = unused.removeValue(forKey: parts.joined(separator: "/"))
            let isExcepted = reason != nil
            if let reason, reason.hasSuffix("Tests"), !tests.contains(where: { $0.name == reason }) {
                findings.append(Finding(file, "is said to be seen through \(reason), which does not exist"))
            }
            let isTested = tests.contains {
                $0.components.dropFirst().first == "\(target)Tests" && covers($0, file)
            }
            if isTested, isExcepted {
                findings.append(Finding(file, "has a test, so it is no exception any more"))
            } else if !isTested, !isExcepted {
                findings.append(
                    Finding(file, "needs Tests/\(target)Tests/…/\(file.name.prefix { $0 != "+" })Tests.swift")
                )
            }
        }
        return findings
            + unused.keys.sorted().map {
                Finding(SourceFile(path: $0, text: ""), "is an exception, but there is no such source file")
            }
    }

    /// Whether `test` is named after `source`; a part `F+Topic.swift` may have its tests in `FTests.swift`.
    private static func covers(_ test: SourceFile, _ source: SourceFile) -> Bool {
        let whole = source.name.prefix { $0 != "+" }
        return [source.name, source.name.filter { $0 != "+" }, String(whole)].contains {
            test.name == "\($0)Tests"
        }
    }

    private static func declaresSomething(_ file: SourceFile) -> Bool {
        file.lines.contains { $0.contains(/^\s*[a-z@]/) && !$0.contains(/^\s*(?:\w+ )?import\b/) }
    }
}
