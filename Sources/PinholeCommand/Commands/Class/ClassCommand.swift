import ArgumentParser

/// `pinhole class`.
struct ClassCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "class",
        abstract: "Teach interception and pinning in lessons.",
        discussion: """
            Each student has a world of their own: hosts, CAs, keys, tokens and attacks depend on the name in --seed, and so do
            the answers. Everything lies below one folder, and all servers listen on this machine alone, unless “class
            serve” opens them to a network (--listen, --open).

            EXAMPLES
              pinhole class start --seed mia
                  servers, proxy and console for Mia, below ./pinhole-class, until Ctrl-C
              pinhole class lesson 1
                  the first lesson, in another terminal
              pinhole class check 1 token=abc server=shop.localhost
                  gives two answers, and checks the lesson
              pinhole class hint 1
              pinhole class try 3 before --predict refuses
                  predicts the outcome of an experiment, and sees it
              pinhole class serve --students class.csv
                  for the teacher: the worlds of all students on this machine
              pinhole class grade results/
                  for the teacher: a table of all results in a folder
              pinhole class print --seed mia --key --html key.html
                  the teacher's key with all answers of Mia

            docs/CLASS.md describes the lessons.
            """,
        subcommands: [
            ClassStartCommand.self, ClassServeCommand.self, ClassLessonCommand.self, ClassCheckCommand.self,
            ClassHintCommand.self, ClassTryCommand.self,
            ClassStudentCommand.self, ClassClientCommand.self, ClassResetCommand.self, ClassGradeCommand.self,
            ClassKeyCommand.self,
            ClassPrintCommand.self,
        ]
    )
}
