import Foundation
import PinholeCrypto
import PinholeProxy

/// Files beside the CA that the lines for clients name: a script for Node.js, and a trust store for Java.
enum ClientFiles {
    /// Writes the files where they are missing, and makes the lines.
    ///
    /// - Parameters:
    ///   - root: The CA's certificate.
    ///   - configuration: What the proxy runs with.
    /// - Returns: The lines; one that needs a file that cannot be written is left out.
    static func commands(_ root: Certificate, _ configuration: Configuration) -> ClientCommands {
        let directory = absolute(configuration.authority.directory)
        let script = Array(NodePreload.script.utf8)
        let store = (try? TrustStore.pkcs12([root])).flatMap { bytes in
            // Two stores of one certificate differ by their salts.
            write(bytes, "\(directory)/\(AuthorityDirectory.storeName)") { store in
                Data(store).range(of: Data(root.der)) != nil
            }
        }
        return ClientCommands(
            capture: configuration.capture.file.map(absolute),
            directory: directory,
            certificate: AuthorityDirectory(path: directory).certificatePath,
            script: write(script, "\(directory)/\(AuthorityDirectory.scriptName)") { $0 == script },
            store: store.map { ($0, TrustStore.customaryPassphrase) },
            login: login(configuration.proxy)
        )
    }

    private static func login(_ proxy: Configuration.Proxy) -> ClientCommands.Login {
        if proxy.users != nil { return .each }
        guard let known = try? proxy.knownCredentials?.login(for: "the proxy's credentials") else {
            return .none
        }
        return .known(user: known.user, password: known.password)
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : URL(fileURLWithPath: path).standardizedFileURL.path
    }

    private static func write(_ bytes: [UInt8], _ path: String, _ isSame: ([UInt8]) -> Bool) -> String? {
        let url = URL(fileURLWithPath: path)
        if let there = try? Data(contentsOf: url), isSame(Array(there)) { return path }
        return (try? Data(bytes).write(to: url, options: .atomic)) == nil ? nil : path
    }
}
