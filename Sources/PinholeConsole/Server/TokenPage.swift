import PinholeCrypto
import PinholeModel

/// The page that asks a browser for the token.
///
/// A browser without the token cannot load the console's style sheets, so the page has an inline style. The policy
/// allows this style by its digest, and no other.
package enum TokenPage {
    /// Returns the page for a browser without a token, or with a wrong one.
    static func answer(isWrong: Bool) -> ConsoleAnswer {
        page(title: "Pinhole: token", content: content(isWrong: isWrong))
    }

    /// Returns a page with a form, whose style needs no other file.
    package static func page(title: String, language: String = "en", content: String) -> ConsoleAnswer {
        let text = """
            <!doctype html>
            <html lang="\(language)">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <style>\(style)</style>
            \(content)</html>

            """
        var answer = ConsoleAnswer.html(text, status: 401)
        let digest = Base64.encode(Digest.sha256(Array(style.utf8)))
        let policy = ConsoleHeaders.policy.replacing("style-src 'self'", with: "style-src 'sha256-\(digest)'")
        answer.fields.append(("Content-Security-Policy", policy))
        return answer
    }

    private static let style = """
        :root { color-scheme: light dark; }
        body { max-width: 34rem; margin: 14vh auto; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; \
        color: light-dark(#1a2029, #dde3ec); background: light-dark(#ffffff, #11151b); }
        h1 { font-size: 1.35em; }
        form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
        label { flex: 1 1 100%; font-weight: 600; }
        input, button { font: inherit; padding: .35rem .6rem; border: 1px solid light-dark(#8a94a3, #667284); \
        border-radius: 5px; }
        input { flex: 1 1 14rem; min-width: 0; color: inherit; background: transparent; }
        button { color: light-dark(#ffffff, #0b1a2a); background: light-dark(#0b57a4, #7db7f2); }
        [role="alert"] { padding: .4rem .7rem; color: light-dark(#b3261e, #ff9488); \
        background: light-dark(#fcefee, #34191a); border-left: 3px solid; }
        """

    private static func content(isWrong: Bool) -> String {
        """
        <h1>This console asks for its token</h1>
        \(isWrong ? wrong : "")<p>Open the URL that Pinhole printed when it began, or copy the token from the file beside the \
        capture.</p>
        <form action="/" method="get">
        <label for="token">Token</label>
        <input id="token" name="token" type="password" autocomplete="off" required autofocus size="48">
        <button>Open</button>
        </form>

        """
    }

    private static let wrong = """
        <p role="alert">That is not the token of this console. Another console, or one whose token file was \
        removed, has another one.</p>

        """
}
