package import Logging
import PinholeConsole
import PinholeCrypto
import PinholeFiles
package import PinholeModel
import PinholeRuntime
package import PinholeSession

/// The worlds of all students of `pinhole class serve`, and the teacher's actions on them.
///
/// The list of the class is read again when it changes: the worlds of new students start, and those of students who
/// left it stop. Their folders stay.
package actor ServedClass {
    /// The choices for all worlds, and the parts of the program that they use.
    package struct Settings: Sendable {
        /// The secret of the class; empty for none.
        let secret: [UInt8]
        /// The language of an option; `nil` for that of each folder.
        let language: ClassLanguage?
        /// The language of a new folder without an option.
        let usualLanguage: ClassLanguage
        /// The lessons of the class.
        let lessons: LessonChoice
        /// The address of the servers.
        let address: IPAddress
        /// Whether the user has confirmed a folder that was begun elsewhere.
        let trustsFolder: Bool
        /// Receives messages of the proxies.
        let logger: Logger
        /// Opens the browsers of a student; `nil` if this program opens none.
        let browsers: @Sendable () -> (any ProxyBrowsers)?
        /// Returns the check of the class in a folder.
        let check: @Sendable (ClassFolder) throws(ClassFailure) -> ClassCheck
        /// Shows a line to the teacher.
        let show: @Sendable (String) -> Void

        /// Creates the choices.
        package init(
            secret: [UInt8],
            language: ClassLanguage?,
            usualLanguage: ClassLanguage,
            lessons: LessonChoice,
            address: IPAddress,
            trustsFolder: Bool,
            logger: Logger,
            browsers: @escaping @Sendable () -> (any ProxyBrowsers)?,
            check: @escaping @Sendable (ClassFolder) throws(ClassFailure) -> ClassCheck,
            show: @escaping @Sendable (String) -> Void
        ) {
            self.secret = secret
            self.language = language
            self.usualLanguage = usualLanguage
            self.lessons = lessons
            self.address = address
            self.trustsFolder = trustsFolder
            self.logger = logger
            self.browsers = browsers
            self.check = check
            self.show = show
        }
    }

    /// A student whose world runs.
    private struct Place {
        let login: ClassRoster.Login
        let world: RunningClass
    }

    private let files: ClassFiles
    private let settings: Settings
    private let outcome: ClassResults
    private var places: [Place] = []
    /// The contents of the files when they were read last.
    private var read: [String?] = []
    private var server: ClassServer?
    /// The keys of the CAs that this process has used, which the state directory need not remember.
    private var authorities: Set<[UInt8]> = []
    /// The change that runs, which the next one waits for.
    private var change: Task<Void, Never>?

    private static let interval = Duration.seconds(1)
    /// The longest pause between two attempts with the same files, in intervals.
    private static let longestPause = 60

    /// Creates a class that has not started.
    package init(_ files: ClassFiles, _ settings: Settings) {
        self.files = files
        self.settings = settings
        outcome = ClassResults(secret: settings.secret, lessons: settings.lessons)
    }

    // MARK: Worlds

    /// Starts the worlds of all students.
    ///
    /// - Returns: The students with their passwords.
    /// - Throws: ``CommandFailure`` if the list has faults or a world cannot start; no world runs then.
    package func start() async throws(CommandFailure) -> ClassRoster {
        do throws(ClassFailure) {
            let roster = try files.roster()
            try await follow(roster)
            return roster
        } catch {
            await stop()
            throw CommandFailure(error)
        }
    }

    /// Shows the worlds on the page, and follows changes of the files until the task is cancelled.
    package func follow(_ server: ClassServer) async {
        self.server = server
        for place in places { place.world.proxy.protect(server.address) }
        // Files that could not be followed are tried again after 1, 2, 4 … seconds, or when they change.
        var (failed, pause, waited): ([String?], Int, Int) = ([], 0, 0)
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.interval)
            let found = files.contents
            waited += 1
            guard found != read, found != failed || waited >= pause, !Task.isCancelled else { continue }
            do throws(ClassFailure) {
                let count = places.count
                try await changing { served async throws(ClassFailure) in try await served.takeFiles() }
                failed = []
                if places.count != count {
                    settings.show("the class has \(places.count) students now")
                }
            } catch {
                // The class goes on as it was until the list is correct, and every world has started.
                if found != failed {
                    // All faults of a list are told once, each in a line.
                    let lines = error.description.split(separator: "\n").map { Plain.printable(String($0)) }
                    settings.show("warning: \(lines.joined(separator: "\n"))")
                }
                (failed, pause, waited) = (found, found == failed ? min(pause * 2, Self.longestPause) : 1, 0)
            }
        }
    }

    /// Stops all worlds, after open requests.
    package func stop() async {
        await change?.value
        let worlds = places.map(\.world)
        places = []
        await withDiscardingTaskGroup { group in
            for world in worlds { group.addTask { await world.stop() } }
        }
    }

    /// The students as the server shows them.
    package func members() throws(CommandFailure) -> [ClassServer.Member] {
        var members: [ClassServer.Member] = []
        for place in places {
            let folder = place.world.folder
            var subject = ConsoleSubject(capture: folder.capture, started: LoopClock().now())
            subject.manual = Places.manual(of: Places.program)
            subject.store = place.world.proxy.store
            let lessons: ClassCheck
            do throws(ClassFailure) {
                lessons = try settings.check(folder)
            } catch {
                throw CommandFailure(error)
            }
            let (name, password) = (place.login.id, place.login.password)
            members.append(
                ClassServer.Member(name: name, password: password, subject: subject, lessons: lessons)
            )
        }
        return members
    }

    private func takeFiles(renewing renewed: String? = nil) async throws(ClassFailure) {
        try await follow(try files.roster(renewing: renewed))
    }

    /// Starts the worlds of students who are new, and stops those of students who left.
    private func follow(_ roster: ClassRoster) async throws(ClassFailure) {
        var old: [ClassRoster.Login: RunningClass] = [:]
        for place in places { old[Self.running(place.login)] = place.world }
        var next: [Place] = []
        var started: [RunningClass] = []
        var faults: [String] = []
        // A student with a new password gets a new proxy, since the proxy asks for the password.
        let stays = Set(roster.students.map(Self.running))
        for (login, world) in old where !stays.contains(login) { await world.stop() }
        places.removeAll { !stays.contains(Self.running($0.login)) }
        for login in roster.students {
            if let world = old[Self.running(login)] {
                next.append(Place(login: login, world: world))
                continue
            }
            do throws(CommandFailure) {
                let world = try await start(login)
                started.append(world)
                next.append(Place(login: login, world: world))
            } catch {
                let fault = "the world of \(login.id) cannot start: \(error.message)"
                guard server != nil else {
                    for world in started { await world.stop() }
                    throw ClassFailure(fault, remedy: error.remedy)
                }
                // A running class goes on with the other students.
                faults.append(fault)
            }
        }
        places = next
        read = faults.isEmpty ? files.contents : []
        guard let server else { return }
        do {
            for world in started { world.proxy.protect(server.address) }
            try server.replace(try members(), teacher: roster.teacher)
        } catch {
            throw ClassFailure("the page cannot show the class: \(error)")
        }
        guard faults.isEmpty else { throw ClassFailure(faults.joined(separator: "; ")) }
    }

    /// The part of a login that a running world depends on.
    private static func running(_ login: ClassRoster.Login) -> ClassRoster.Login {
        ClassRoster.Login(member: ClassMember(id: login.id), password: login.password)
    }

    private func start(_ login: ClassRoster.Login) async throws(CommandFailure) -> RunningClass {
        let folder = ClassFolder("\(files.directory)/\(login.id)")
        let (names, language) = try ClassIdentity(
            student: login.id,
            secret: settings.secret.isEmpty ? nil : settings.secret,
            language: settings.language,
            usual: settings.usualLanguage
        ).resolved(in: folder)
        var own = RunningClass.Settings(
            language: language,
            lessons: settings.lessons,
            browsers: settings.browsers(),
            trustsFolder: settings.trustsFolder
        )
        own.address = settings.address
        own.login = "\(login.id):\(login.password)"
        own.authorities = authorities
        let world = try await RunningClass(names, in: folder, own, logger: settings.logger)
        authorities.formUnion(world.proxy.minter.authority.identity.chain.map(\.spkiSHA256))
        return world
    }

    /// Runs a change after the one before has ended.
    private func changing(
        _ work: @escaping @Sendable (isolated ServedClass) async throws(ClassFailure) -> Void
    ) async throws(ClassFailure) {
        let before = change
        let task = Task { () async -> ClassFailure? in
            await before?.value
            do throws(ClassFailure) {
                try await work(self)
                return nil
            } catch {
                return error
            }
        }
        change = Task { _ = await task.value }
        if let failure = await task.value { throw failure }
    }

    // MARK: The teacher's actions

    /// Returns the results of all students.
    func results() throws -> ClassGrade {
        try outcome.grade(places.map { (member: $0.login.member, folder: $0.world.folder) })
    }

    /// Adds a student to the list of the class, and starts the student's world.
    ///
    /// - Returns: The password of the student.
    /// - Throws: ``ClassFailure`` if the list cannot take the student.
    func add(_ member: ClassMember) async throws(ClassFailure) -> String {
        try await changing { served async throws(ClassFailure) in
            try served.files.add(member)
            try await served.takeFiles()
        }
        return password(of: member.id)
    }

    /// Gives a student a new password, which ends the student's sessions.
    ///
    /// - Parameter student: The id of the student.
    /// - Returns: The password.
    /// - Throws: ``ClassFailure`` if there is no such student.
    func renewPassword(of student: String) async throws(ClassFailure) -> String {
        try await changing { served async throws(ClassFailure) in
            try await served.takeFiles(renewing: student)
        }
        return password(of: student)
    }

    /// Makes the files of lessons anew, and forgets the student's results in them.
    ///
    /// - Parameters:
    ///   - student: The id of the student.
    ///   - lesson: The number of the lesson; `nil` for all lessons of the class.
    /// - Throws: ``ClassFailure`` if there is no such student.
    func reset(_ student: String, _ lesson: Int?) async throws(ClassFailure) {
        guard let place = places.first(where: { $0.login.id == student }) else {
            throw ClassFailure("the class has no student “\(student)”")
        }
        let lessons = lesson.map { [$0] } ?? place.world.state.choice.numbers
        try ClassCheck(place.world.folder, subject: nil).reset(lessons, forgetsTries: true)
    }

    /// Deletes a student, with the results and all other files.
    ///
    /// - Parameter student: The id of the student.
    /// - Throws: ``ClassFailure`` if there is no such student.
    func delete(_ student: String) async throws(ClassFailure) {
        try await changing { served async throws(ClassFailure) in
            let roster = try served.files.delete(student)
            do throws(ClassFailure) {
                try await served.follow(roster)
            } catch {
                // The student's world has stopped, whatever else failed.
                try served.files.removeFolder(of: student)
                throw error
            }
            try served.files.removeFolder(of: student)
        }
    }

    private func password(of student: String) -> String {
        places.first { $0.login.id == student }?.login.password ?? ""
    }
}
