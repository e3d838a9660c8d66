Feature: What a pod requests as a whole is compared with its containers when it is created
  What its claims take is not known then: only the scheduler finds it out.

  @case:a-claim-does-not-count-when-a-pod-is-created
  @KEP-5517/pod-level-resources/admission-checks-spec-only @profile:kep @profile:since-1.34
  Scenario: A claim does not count when a pod is created
    Given a pod "p" with the container
      | container | request cpu | claims |
      | main      | 2           | cpus   |
    And pod "p" requests 2 of "cpu" as a whole
    When the Pod "p" is created
    Then it is stored with
      | field                       | value |
      | spec.resources.requests.cpu | 2     |

  @case:containers-may-request-as-much-as-their-pod
  @KEP-5517/pod-level-resources/admission-checks-spec-only
  Scenario: Containers may request as much as their pod
    Given a pod "p" with the containers
      | container | request cpu |
      | a         | 2           |
      | b         | 3           |
    And pod "p" requests 5 of "cpu" as a whole
    When the Pod "p" is created
    Then it is stored

  @case:containers-may-not-request-more-than-their-pod
  @KEP-5517/pod-level-resources/admission-checks-spec-only @profile:kep @profile:since-1.34
  Scenario: Containers may not request more than their pod
    Given a pod "p" with the containers
      | container | request cpu |
      | a         | 2           |
      | b         | 4           |
    And pod "p" requests 5 of "cpu" as a whole
    When the Pod "p" is created
    Then it is rejected with Invalid at "spec.resources.requests[cpu]"
