import PinholeConsole
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeWire

/// Answers the requests of students and of the teacher, after a login.
struct ClassService: ConsoleResponder {
    /// The cookie that carries a session.
    struct Cookie: Sendable {
        /// The name, with the port in it, since browsers share cookies between the ports of a host.
        let name: String
        private let attributes: String

        init(port: UInt16, isSecure: Bool) {
            name = "pinhole-class-\(port)"
            attributes = "HttpOnly; SameSite=Strict; Path=/" + (isSecure ? "; Secure" : "")
        }

        /// Returns the value of Set-Cookie for a session; `nil` ends the session in the browser.
        func field(_ token: AccessToken?) -> (name: String, value: String) {
            (
                "Set-Cookie",
                "\(name)=\(token?.text ?? ""); \(attributes)" + (token == nil ? "; Max-Age=0" : "")
            )
        }
    }

    let origin: ConsoleOrigin
    let cookie: Cookie
    let students: ClassStudents
    let served: ServedClass

    private var sessions: ClassSessions { students.sessions }

    /// The account of the teacher.
    private static let teacher = Admission.Holder.account(0)

    /// The holder of connections of a student's account.
    static func account(ofStudent index: Int) -> Admission.Holder { .account(index + 1) }

    func admission(of head: RequestHead) -> ConsoleAdmission {
        if let refusal = origin.refusal(of: head) { return .refused(refusal) }
        switch role(of: head) {
        case .teacher: return .account(0)
        case .student(let account): return .account(account + 1)
        case nil: break
        }
        if ConsoleRequest(head: head).path == ["login"] { return .open }
        guard ConsoleOrigin.isAPI(head) else { return .refused(loginPage(isWrong: false)) }
        return .refused(
            Problem(
                401,
                "login missing",
                "expected the cookie of a login, found none",
                remedy: "open the page, and log in with your name and password"
            ).answer
        )
    }

    func answer(_ request: ConsoleRequest, _ reply: @escaping @Sendable (ConsoleAnswer) -> Void) {
        switch request.path.first {
        case "login": return reply(logIn(request))
        case "logout": return reply(logOut(request))
        default: break
        }
        switch role(of: request.head) {
        case nil: reply(loginPage(isWrong: false))
        case .teacher: answerTeacher(request, reply)
        case .student(let account):
            guard let api = students.api(account) else {
                return reply(.text("There is no such student.", status: 404))
            }
            switch request.path.first {
            case "api": api.answer(request, reply)
            case "docs":
                let folder = api.subject.manual
                Task { reply(ConsoleManual(folder: folder).answer(request)) }
            default: reply(ConsoleAssets.answer(request))
            }
        }
    }

    private func role(of head: RequestHead) -> ClassSessions.Role? {
        sessions.role(of: head.cookies(cookie.name))
    }

    private func answerTeacher(
        _ request: ConsoleRequest,
        _ reply: @escaping @Sendable (ConsoleAnswer) -> Void
    ) {
        guard request.path.first == "api" else {
            return reply(ConsoleAssets.answer(request, instead: request.path == [""] ? "/class.html" : nil))
        }
        let abandonment = request.abandonment
        Task { [served, students, pages = students.pages] in
            do {
                let isAbandoned: @Sendable () -> Bool = { abandonment.isAbandoned }
                reply(
                    try await pages.perform(for: Self.teacher, until: isAbandoned) { _ in
                        try await ClassTeacherCall(request, served, students).answer()
                    }
                )
            } catch let failure as WorkFailure {
                reply(Problem(failure, .pages).answer)
            } catch let problem as Problem {
                reply(problem.answer)
            } catch let failure as ClassFailure {
                reply(
                    Problem(422, "the class cannot do this", failure.description, remedy: failure.remedy)
                        .answer
                )
            } catch {
                reply(Problem(500, "the class cannot do this", "\(error)").answer)
            }
        }
    }

    // MARK: Login

    private func loginPage(isWrong: Bool) -> ConsoleAnswer {
        LoginPage.answer(isWrong: isWrong, in: students.language)
    }

    private func logIn(_ request: ConsoleRequest) -> ConsoleAnswer {
        guard request.head.method == "POST" else { return ConsoleAnswer(303, fields: [("Location", "/")]) }
        let form = ConsoleRequest.pairs(of: String(decoding: request.body, as: UTF8.self))
        func value(_ name: String) -> String { form.first { $0.name == name }?.value ?? "" }
        guard let token = sessions.logIn(value("name"), value("password")) else {
            return loginPage(isWrong: true)
        }
        // The teacher's first page is that of the results.
        let place = sessions.role(of: [token.text[...]]) == .teacher ? "/#/" : "/#/classroom"
        return ConsoleAnswer(303, fields: [("Location", place), cookie.field(token)])
    }

    private func logOut(_ request: ConsoleRequest) -> ConsoleAnswer {
        guard request.head.method == "POST" else { return Problem.notAllowed(request, ["POST"]).answer }
        sessions.end(request.head.cookies(cookie.name))
        return ConsoleAnswer(303, fields: [("Location", "/"), cookie.field(nil)])
    }
}

/// The page that asks a student or the teacher for name and password.
private enum LoginPage {
    static func answer(isWrong: Bool, in language: ClassLanguage) -> ConsoleAnswer {
        let say = language.say
        let fault = say("The name or the password is wrong.", "Der Name oder das Passwort ist falsch.")
        let wrong = isWrong ? "<p role=\"alert\">\(fault)</p>\n" : ""
        let request = say(
            "Log in with the name and the password that your teacher gave you.",
            "Melde dich mit dem Namen und dem Passwort an, die du von deiner Lehrkraft hast."
        )
        return TokenPage.page(
            title: say("Pinhole: class", "Pinhole: Klasse"),
            language: language.rawValue,
            content: """
                <h1>\(say("The class", "Die Klasse"))</h1>
                \(wrong)<p>\(request)</p>
                <form action="/login" method="post">
                <label for="name">Name</label>
                <input id="name" name="name" autocomplete="username" required autofocus>
                <label for="password">\(say("Password", "Passwort"))</label>
                <input id="password" name="password" type="password" autocomplete="current-password" required>
                <button>\(say("Log in", "Anmelden"))</button>
                </form>

                """
        )
    }
}
