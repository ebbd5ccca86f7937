import PinholeFiles

/// The port of the page of a class, which a file keeps, so that open pages find the class after a restart.
package enum PagePort {
    /// The name of the file.
    static let file = "page.port"

    /// Returns the port of the last start; `nil` if the class never started, or the file is damaged.
    package static func kept(in folder: String) -> UInt16? {
        File.text(of: "\(folder)/\(file)").flatMap { UInt16($0.prefix { !$0.isNewline }) }.flatMap {
            $0 == 0 ? nil : $0
        }
    }

    /// Keeps the port for the next start; the class works without it.
    package static func keep(_ port: UInt16, in folder: String) {
        try? File.replace(Array("\(port)\n".utf8), at: "\(folder)/\(file)")
    }
}
