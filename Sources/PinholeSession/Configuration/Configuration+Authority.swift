import PinholeCrypto
import PinholeModel
import PinholeRuntime

extension Configuration {
    /// The section `ca`: the certificate authority.
    package struct Authority: Sendable, Equatable {
        /// The kinds of key that a new authority may have.
        package enum Key: String, Sendable, CaseIterable {
            case p256
            case rsa3072
        }

        /// The directory of the CA, relative to the folder of the file; without a file ``Places`` decides.
        package var directory = Places.authorityName
        /// The algorithm of the keys of a new CA.
        package var keyAlgorithm = Key.p256
        /// The domains for which a new CA may sign; empty for all.
        package var permittedDomains: [String] = []
    }
}

extension Configuration.Authority {
    static var section: ConfigurationSection {
        ConfigurationSection(
            "ca",
            "the certificate authority",
            [
                .value(
                    "directory",
                    \.authority.directory,
                    usual: "\"\(Self().directory)\"",
                    DocumentValue.word,
                    "The directory of `rootCA.pem` and `rootCA-key.pem`, which the first use makes (docs/INSTALL.md#the-files)",
                    harm: .none(
                        "files elsewhere than in the folder and in Pinhole's own directories are confirmed as such"
                    )
                ),
                .choice(
                    "keyAlgorithm",
                    \.authority.keyAlgorithm,
                    "For a new CA: `\"p256\"`, which is fast and widely supported; `\"rsa3072\"` for clients without "
                        + "elliptic curves. Leaves below an RSA CA have a key of RSA-2048",
                    harm: .none("both kinds of keys are strong")
                ),
                .value(
                    "permittedDomains",
                    \.authority.permittedDomains,
                    usual: "[]",
                    domains,
                    "For a new CA: the domains and networks that it may sign for (X.509 name constraints); empty for all. "
                        + "The proxy passes other hosts through",
                    harm: .none("it can only take hosts from the CA")
                ),
            ]
        )
    }

    private static func domains(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [String] {
        let domains = try DocumentValue.list(DocumentValue.word)(value, path).map(InternationalName.ascii)
        do {
            _ = try NameConstraints(permitting: domains)
        } catch {
            throw DocumentFailure(path: path, expected: "domains or networks", found: "\(error)")
        }
        return domains
    }
}
