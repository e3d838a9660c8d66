Feature: API validation of pod-level requests
  The API server compares the pod-level request with the container requests only. The node resources of ResourceClaims
  are known only after the scheduler has allocated devices.

  @case:claim-not-counted-on-create
  @KEP-5517/pod-level-resources/admission-checks-spec-only @profile:kep @profile:since-1.34
  Scenario: The API server ignores ResourceClaims when it validates a pod-level request
    Given a pod "p" with the container
      | container | request cpu | claims |
      | main      | 2           | cpus   |
    And pod "p" requests 2 of "cpu" at pod level
    When pod "p" is created
    Then the object is stored with
      | field                       | value |
      | spec.resources.requests.cpu | 2     |

  @case:containers-equal-pod-level-request
  @KEP-5517/pod-level-resources/admission-checks-spec-only
  Scenario: A pod is stored if container requests equal the pod-level request
    Given a pod "p" with the containers
      | container | request cpu |
      | a         | 2           |
      | b         | 3           |
    And pod "p" requests 5 of "cpu" at pod level
    When pod "p" is created
    Then the object is stored

  @case:containers-exceed-pod-level-request
  @KEP-5517/pod-level-resources/admission-checks-spec-only @profile:kep @profile:since-1.34
  Scenario: A pod is rejected if container requests exceed the pod-level request
    Given a pod "p" with the containers
      | container | request cpu |
      | a         | 2           |
      | b         | 4           |
    And pod "p" requests 5 of "cpu" at pod level
    When pod "p" is created
    Then the object is rejected
    But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Invalid at "spec.resources.requests[cpu]"
