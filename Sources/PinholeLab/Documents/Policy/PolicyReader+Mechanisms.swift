import PinholeModel
import PinholeTrust

extension PolicyReader {
    /// How a mechanism's settings are read.
    typealias Reading =
        @Sendable (
            PolicyReader, inout DocumentObject
        ) throws(DocumentFailure) -> any TrustPolicy

    /// Every mechanism, by the name in documents.
    static let mechanisms: [(name: String, read: Reading)] = [
        ("system", { (_, _) throws(DocumentFailure) in SystemPolicy() }),
        ("basic-x509", { (_, _) throws(DocumentFailure) in BasicX509Policy() }),
        (
            "anchors-only",
            { (reader, object) throws(DocumentFailure) in
                AnchorsOnlyPolicy(anchors: try reader.certificates("anchors", in: &object))
            }
        ),
        (
            "must-staple",
            { (_, object) throws(DocumentFailure) in
                MustStaplePolicy(always: try object.flag("always", false))
            }
        ),
        (
            "ct-required",
            { (_, object) throws(DocumentFailure) in
                CTRequiredPolicy(logs: Int(try object.value("logs", 2, DocumentValue.integer(in: 1...10))))
            }
        ),
        ("afnetworking", { (reader, object) throws(DocumentFailure) in try reader.afnetworking(&object) }),
        (
            "alamofire-default",
            { (_, object) throws(DocumentFailure) in
                AlamofireDefaultPolicy(validateHost: try object.flag("validateHost", true))
            }
        ),
        ("alamofire-revocation", { (_, object) throws(DocumentFailure) in try revocation(&object) }),
        (
            "alamofire-pinned-certificates",
            { (reader, object) throws(DocumentFailure) in
                AlamofirePinnedCertificatesPolicy(
                    certificates: try reader.certificates("certificates", in: &object),
                    acceptSelfSignedCertificates: try object.flag("acceptSelfSignedCertificates", false),
                    performDefaultValidation: try object.flag("performDefaultValidation", true),
                    validateHost: try object.flag("validateHost", true)
                )
            }
        ),
        (
            "alamofire-public-keys",
            { (reader, object) throws(DocumentFailure) in
                AlamofirePublicKeysPolicy(
                    certificates: try reader.certificates("certificates", in: &object),
                    performDefaultValidation: try object.flag("performDefaultValidation", true),
                    validateHost: try object.flag("validateHost", true)
                )
            }
        ),
        (
            "alamofire-composite",
            { (reader, object) throws(DocumentFailure) in
                let evaluators = try object.require("evaluators", reader.entries)
                return try parsed("\(object.path).evaluators") { () throws(PolicyFailure) in
                    try AlamofireCompositePolicy(evaluators: evaluators)
                }
            }
        ),
        ("alamofire-disabled", { (_, _) throws(DocumentFailure) in AlamofireDisabledPolicy() }),
        ("trustkit", { (_, object) throws(DocumentFailure) in try trustKit(&object) }),
        ("okhttp", { (_, object) throws(DocumentFailure) in try okHttp(&object) }),
        ("android-nsc", { (reader, object) throws(DocumentFailure) in try reader.android(&object) }),
        ("apple-pinned-domains", { (reader, object) throws(DocumentFailure) in try reader.apple(&object) }),
        (
            "certificate",
            { (reader, object) throws(DocumentFailure) in
                CertificatePolicy(
                    certificates: try reader.certificates("certificates", in: &object),
                    scope: try object.choice("scope", .chain)
                )
            }
        ),
        (
            "spki",
            { (_, object) throws(DocumentFailure) in
                SPKIPolicy(pins: try object.require("pins", pins), scope: try object.choice("scope", .chain))
            }
        ),
        (
            "raw-key",
            { (_, object) throws(DocumentFailure) in RawKeyPolicy(pins: try object.require("pins", pins)) }
        ),
        ("curl", { (reader, object) throws(DocumentFailure) in try reader.curl(&object) }),
        ("hpkp", { (_, object) throws(DocumentFailure) in try hpkp(&object) }),
        ("dane", { (_, object) throws(DocumentFailure) in try dane(&object) }),
        ("tofu", { (reader, object) throws(DocumentFailure) in try reader.tofu(&object) }),
        (
            "all",
            { (reader, object) throws(DocumentFailure) in
                AllPolicy(of: try reader.combined(&object))
            }
        ),
        (
            "any",
            { (reader, object) throws(DocumentFailure) in
                AnyPolicy(of: try reader.combined(&object))
            }
        ),
        ("broken-accept-all", { (_, _) throws(DocumentFailure) in BrokenPolicy(.acceptAll) }),
        (
            "broken-presented-spki",
            { (_, object) throws(DocumentFailure) in
                BrokenPolicy(.presentedSPKI, pins: try object.require("pins", pins))
            }
        ),
        (
            "broken-no-host",
            { (_, object) throws(DocumentFailure) in
                BrokenPolicy(.noHost, pins: try object.value("pins", [], pins))
            }
        ),
        (
            "broken-unvalidated-spki",
            { (_, object) throws(DocumentFailure) in
                BrokenPolicy(
                    .unvalidatedSPKI,
                    pins: try object.require("pins", pins),
                    scope: try object.choice("scope", .leaf)
                )
            }
        ),
    ]
}
