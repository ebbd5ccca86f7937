import ArgumentParser
import PinholeCrypto
import PinholeFiles
import PinholeSession

/// `pinhole ca path`.
struct CAPathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print the absolute path of the certificate.",
        discussion: """
            EXAMPLES
              curl --cacert "$(pinhole ca path)" -x http://127.0.0.1:8080 https://example.com/
            """
    )

    @OptionGroup var options: CAOptions

    func run() throws {
        let path = AuthorityDirectory(path: try options.load(toTrust: true).directory).certificatePath
        guard File.exists(at: path) else {
            throw CommandFailure(.negative, "there is no CA yet: \(path)", remedy: "pinhole ca init")
        }
        StandardOutput.write(path: FilePath.absolute(path))
    }
}
