import Foundation
import PinholeModel
import PinholeTestKit

/// What a program said.
struct ForeignAnswer: Sendable {
    /// Whether it trusts; `nil` where it was not asked, since no handshake came about.
    var isTrusted: Bool?
    var output: String
}

/// A program that judges chains and shares no code with ours but, in two cases, OpenSSL itself.
enum ForeignJudge: String, CaseIterable {
    case openssl
    case gnutls
    case curl

    /// The programs that it needs.
    var tools: [Tool] {
        switch self {
        case .openssl: [Tool(name: "openssl")]
        case .gnutls: [Tool(name: "certtool")]
        case .curl: [Tool(name: "curl"), Tool(name: "python3")]
        }
    }

    var isThere: Bool { tools.allSatisfy(\.isThere) }

    /// What `openssl verify` says.
    static func openSSL(_ number: Int, in folder: FamilyFolder) throws -> ForeignAnswer {
        let chain = folder.chains[number]
        let result = try Tool(name: "openssl").run(
            [
                "verify", "-x509_strict", "-purpose", "sslserver", "-no-CApath", "-no-CAstore",
                "-auth_level", "\(chain.securityLevel)", "-CAfile", folder.file(number, "-anchors"),
                "-untrusted", folder.file(number),
                chain.host.address == nil ? "-verify_hostname" : "-verify_ip", chain.host.description,
            ] + (chain.allowsPartialChain ? ["-partial_chain"] : []) + [folder.file(number, "-leaf")]
        )
        return ForeignAnswer(isTrusted: result.code == 0, output: result.output)
    }

    /// What GnuTLS says.
    static func gnuTLS(_ number: Int, in folder: FamilyFolder) throws -> ForeignAnswer {
        let chain = folder.chains[number]
        let strength =
            chain.securityLevel == 0
            ? ["--verify-profile=none", "--verify-allow-broken"] : ["--verify-profile=medium"]
        let result = try Tool(name: "certtool").run(
            ["--verify", "--verify-purpose=1.3.6.1.5.5.7.3.1", "--verify-hostname=\(chain.host)"]
                + strength
                + [
                    "--load-ca-certificate=\(folder.file(number, "-anchors"))",
                    "--infile=\(folder.file(number))",
                ]
        )
        return ForeignAnswer(isTrusted: result.code == 0, output: result.output)
    }

    /// What curl says of a server at `port`; `nil` where no handshake came about.
    static func curl(
        _ number: Int,
        in folder: FamilyFolder,
        port: Int
    ) throws -> ForeignAnswer {
        let host = folder.chains[number].host
        let result = try Tool(name: "curl").run([
            "--silent", "--show-error", "--noproxy", "*", "--max-time", "\(Patience.seconds)",
            "--cacert", folder.file(number, "-anchors"), "--capath", folder.path + "/none",
            "--connect-to", "::127.0.0.1:\(port)", "https://\(host.uriText):\(port)/",
        ])
        switch result.code {
        case 0: return ForeignAnswer(isTrusted: true, output: "")
        case 51, 60: return ForeignAnswer(isTrusted: false, output: result.output)
        default: return ForeignAnswer(isTrusted: nil, output: result.output)
        }
    }
}
