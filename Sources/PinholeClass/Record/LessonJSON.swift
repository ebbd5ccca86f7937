package import PinholeModel

/// A lesson with the student's answers as JSON, for scripts and for the console.
package struct LessonJSON: Codable, Sendable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described = [
        FieldJSON("trials", "The experiments, without their outcomes."),
        FieldJSON(
            "whyQuestion",
            "The question to which the student answers with a sentence for the teacher: the answer named why."
        ),
        FieldJSON("why", "The student's sentence; absent for none."),
        FieldJSON("edited", "The name of the file that the student edits; absent if there is none."),
        FieldJSON("explanation", "Once all tasks are done."),
    ]

    /// A task with the student's answer.
    package struct Task: Codable, Sendable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described = [
            FieldJSON("tries", "The number of wrong answers."),
            FieldJSON("isFact", "Whether facts decide, so that there is nothing to answer."),
        ]

        let id: String
        let question: String
        let isPassed: Bool
        let answer: String?
        /// The number of wrong answers.
        let tries: Int
        /// Whether facts decide about the task, so that there is nothing to answer.
        let isFact: Bool
    }

    /// An experiment, whose outcome is not among its members.
    package struct Trial: Codable, Sendable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described = [
            FieldJSON("prediction", "The choice that the student predicted first; absent before.")
        ]

        let id: String
        let question: String
        let choices: [ClassText.Trial.Choice]
        /// The choice that the student predicted first; `nil` before.
        let prediction: String?
    }

    /// A file of the lesson.
    package struct File: Codable, Sendable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described = [FieldJSON("name", "The path below the folder of the lesson.")]

        /// The path below the folder of the lesson.
        let name: String
        let size: Int
    }

    /// The number of the lesson.
    package let number: Int
    let title: String
    let minutes: Int
    let summary: String
    let goals: [String]
    let story: String
    let steps: [ClassText.Step]
    let tasks: [Task]
    let trials: [Trial]
    /// The question to which the student answers with a sentence for the teacher.
    let whyQuestion: String
    /// The student's sentence; `nil` for none.
    let why: String?
    let files: [File]
    /// The name of the file that the student edits; `nil` if there is none.
    let edited: String?
    /// The explanation, once all tasks are done.
    let explanation: String?

    /// Takes a lesson and the work of the student in it.
    ///
    /// - Parameters:
    ///   - text: The lesson.
    ///   - record: The work of the student.
    ///   - answered: The tasks that need an answer.
    ///   - files: The lesson's files.
    ///   - edited: The name of the file that the student edits; `nil` if there is none.
    package init(
        _ text: ClassText,
        _ record: ClassRecord.Lesson,
        answered: Set<String>,
        files: [File],
        edited: String?
    ) {
        number = text.number
        title = text.title
        minutes = text.minutes
        summary = text.summary
        goals = text.goals
        story = text.story
        steps = text.steps
        tasks = text.tasks.map { task in
            Task(
                id: task.id,
                question: task.question,
                isPassed: record.passed[task.id] != nil,
                answer: record.answers[task.id],
                tries: record.tries?[task.id] ?? 0,
                isFact: !answered.contains(task.id)
            )
        }
        trials = text.trials.map { trial in
            Trial(
                id: trial.id,
                question: trial.question,
                choices: trial.choices,
                prediction: record.predictions?[trial.id]
            )
        }
        whyQuestion = text.why
        why = record.why
        self.files = files
        self.edited = edited
        explanation = tasks.allSatisfy(\.isPassed) ? text.explanation : nil
    }
}
