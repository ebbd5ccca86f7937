import PinholeFiles
import PinholeModel
import PinholeSession

/// Finds an installed browser that can be used.
struct BrowserSearch {
    /// The environment, whose PATH lists the folders to search.
    var environment = ProcessEnvironment.variables

    /// Finds a browser.
    ///
    /// - Parameter wanted: A name of ``Browser/products``, the name of a program, or a path; `nil` for the first
    ///   installed browser.
    /// - Returns: The browser.
    /// - Throws: ``CommandFailure`` that names the programs that were not found.
    func find(_ wanted: String?) throws(CommandFailure) -> Browser {
        guard let wanted else { return try first(of: Browser.products.flatMap(\.executables), for: nil) }
        guard !wanted.contains("/") else { return try browser(at: wanted) }
        if let product = Browser.products.first(where: { $0.name == wanted }) {
            return try first(of: product.executables, for: wanted)
        }
        guard Browser.family(ofExecutable: wanted) != nil else {
            let names = Browser.products.flatMap { [$0.name] + $0.executables }
            throw CommandFailure.usage(
                "--browser: expected a path, or one of \(Browser.knownNames), found “\(wanted)”",
                remedy: Remedy.nearest(to: wanted, in: names)
            )
        }
        return try first(of: [wanted], for: wanted)
    }

    /// Finds one usable browser of each product.
    ///
    /// - Returns: The browsers with the names of their products, in the order of ``Browser/products``.
    func all() -> [(name: String, browser: Browser)] {
        Browser.products.compactMap { product in
            (try? first(of: product.executables, for: product.name)).map { (product.name, $0) }
        }
    }

    private func first(of names: [String], for wanted: String?) throws(CommandFailure) -> Browser {
        var confined: String?
        for name in names {
            guard let path = ExecutableSearch.path(of: name, environment),
                let family = Browser.family(ofExecutable: name)
            else { continue }
            guard !Self.isConfined(path) else {
                confined = confined ?? path
                continue
            }
            return Browser(family: family, path: path)
        }
        if let confined { throw Self.confinement(confined) }
        throw CommandFailure(
            "\(wanted.map { "the browser \($0) was not found" } ?? "no browser was found"): looked for "
                + "\(names.joined(separator: ", ")) in the folders of PATH",
            remedy: "install one (apt install chromium), or name its program: pinhole browser --browser PATH"
        )
    }

    private func browser(at path: String) throws(CommandFailure) -> Browser {
        guard let found = ExecutableSearch.path(of: path, environment) else {
            throw CommandFailure("--browser: there is no program \(path) that may be run")
        }
        guard !Self.isConfined(found) else { throw Self.confinement(found) }
        let names = [found, FilePath.real(found)].map { FilePath.name(of: $0) }
        guard let family = names.compactMap(Browser.family).first else {
            let known = Browser.products.flatMap(\.executables).joined(separator: ", ")
            throw CommandFailure.usage(
                "--browser: the name of \(path) does not tell which kind of browser it is",
                remedy: "use a program or a link that is called \(known)"
            )
        }
        return Browser(family: family, path: found)
    }

    // MARK: snap

    /// Whether a program is confined by snap.
    ///
    /// A confined program sees another `/tmp`, and snap refuses a home outside of /home, so the program would not find
    /// its profile. Its command is a link to snap, or a script that starts the browser of snap.
    private static func isConfined(_ path: String) -> Bool {
        let resolved = FilePath.real(path)
        guard !path.hasPrefix("/snap/"), !resolved.hasPrefix("/snap/"),
            FilePath.name(of: resolved) != "snap"
        else { return true }
        guard let start = try? File.content(of: path, upTo: 4096) else { return false }
        let text = String(decoding: start, as: UTF8.self)
        return text.hasPrefix("#!") && text.contains("/snap/bin/")
    }

    private static func confinement(_ path: String) -> CommandFailure {
        CommandFailure(
            "the browser \(path) is a snap: it sees another /tmp, and neither its profile nor the CA there",
            remedy: "install one from a package, or name its program: pinhole browser --browser PATH"
        )
    }
}
