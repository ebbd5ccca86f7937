import PinholeCrypto
import PinholeFiles
import PinholeProxy

/// The files beside the CA that the commands for clients name: a script for Node.js, a trust store for Java.
enum ClientFiles {
    /// Writes the missing files, and makes the commands for clients.
    ///
    /// - Parameters:
    ///   - root: The CA's certificate.
    ///   - configuration: The configuration of the proxy.
    /// - Returns: The commands, without those whose file cannot be written.
    static func commands(_ root: Certificate, _ configuration: Configuration) -> ClientCommands {
        let directory = FilePath.absolute(configuration.authority.directory)
        let script = Array(NodePreload.script().utf8)
        let store = (try? TrustStore.pkcs12([root])).flatMap { bytes in
            // Stores have random salts, so they cannot be compared; a current store holds the certificate.
            write(bytes, "\(directory)/\(AuthorityDirectory.storeName)") { store in
                store.firstRange(of: root.der) != nil
            }
        }
        return ClientCommands(
            // A program joins a proxy by its console.
            capture: configuration.console == .nowhere
                ? nil : configuration.capture.file.map { FilePath.absolute($0) },
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

    private static func write(_ bytes: [UInt8], _ path: String, _ isSame: ([UInt8]) -> Bool) -> String? {
        let file = FileReplacement(path: path)
        let old = try? file.content()
        if let old, isSame(old) { return path }
        return (try? file.write(bytes, replacing: old)) == nil ? nil : path
    }
}
