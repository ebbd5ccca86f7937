package import PinholeModel

/// The browsers that can be opened through a proxy, and those that were and still run.
package struct BrowserListing: Sendable, Encodable {
    /// A browser that can be opened.
    package struct Browser: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case name, family }

        /// What people call it.
        let name: String
        /// The browsers that are told of a proxy in the same way.
        let family: String

        /// Takes the facts of a browser.
        package init(name: String, family: String) {
            self.name = name
            self.family = family
        }
    }

    /// A browser that runs.
    package struct Running: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case id, browser, opened }

        /// Its number.
        package let id: Int64
        /// The name of the browser.
        package let browser: String
        /// When it was opened.
        let opened: String

        /// Takes the facts of a browser that was opened.
        package init(id: Int64, browser: String, opened: Timestamp) {
            self.id = id
            self.browser = browser
            self.opened = opened.iso8601
        }
    }

    private enum CodingKeys: CodingKey { case browsers, running, asksForPassword, problem }

    /// Those that can be opened here, the one that is opened where nobody chooses first.
    package var browsers: [Browser] = []
    /// Those that were opened and have not ended.
    package let running: [Running]
    /// Whether the proxy asks for a user name and a password, so that the browser asks the user.
    let asksForPassword: Bool
    /// Why none can be opened; `nil` where one can.
    package var obstacle: Problem?

    /// Takes what runs; nothing can be opened until it is said.
    package init(running: [Running], asksForPassword: Bool) {
        self.running = running
        self.asksForPassword = asksForPassword
    }

    /// Writes it for the API.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(browsers, forKey: .browsers)
        try container.encode(running, forKey: .running)
        try container.encode(asksForPassword, forKey: .asksForPassword)
        try container.encodeIfPresent(obstacle.map(Problem.Document.init), forKey: .problem)
    }
}
