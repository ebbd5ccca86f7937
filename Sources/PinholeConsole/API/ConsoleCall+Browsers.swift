import PinholeClient
import PinholeSession

/// Browsers that are opened through the proxy.
extension ConsoleCall {
    func browsers() async throws -> ConsoleAnswer { .json(try await control().browsers()) }

    func openBrowser() async throws -> ConsoleAnswer {
        let control = try control()
        let order = try order(BrowserOrder.self)
        if let page = order.url { try Self.check(page) }
        return .json(try await control.openBrowser(order.browser, page: order.url), status: 201)
    }

    func endBrowser() async throws -> ConsoleAnswer {
        let id = try id()
        guard try await control().endBrowser(id) else {
            throw Problem(
                404,
                "not found",
                "no browser with the number \(id) was opened here, or it has ended"
            )
        }
        return ConsoleAnswer(204)
    }

    /// Refuses a text that is not a URL, since the text becomes an argument of a program.
    private static func check(_ page: String) throws(Problem) {
        do throws(ClientFailure) {
            _ = try ClientURL(international: page)
        } catch {
            throw Problem(422, "the page cannot be opened", error.detail)
        }
        guard page.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw Problem(422, "the page cannot be opened", "url: expected no control characters, found some")
        }
    }
}
