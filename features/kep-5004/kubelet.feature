Feature: The kubelet runs pods with special claims
  It finds the claim in the status of the pod, has its devices prepared like those of any claim, and does not look for
  the resource on its node.

  Background:
    Given a device class "gpu" for "example.com/gpu"
    And a node "n1" with 4 of "cpu"
    And the devices
      | device |
      | gpu-0  |
      | gpu-1  |

  @case:the-devices-of-a-special-claim-are-prepared-beside
  @KEP-5004/actuation/special-claim-prepared-like-any-claim @KEP-5004/actuation/admission-ignores-node-allocatable
  Scenario: The devices of a special claim are prepared beside those of a claim
    Given a claim "c" requesting 1 device of class "gpu"
    And a pod "p" that uses claim "c" and requests 1 of "example.com/gpu"
    When the cluster settles
    Then pod "p" runs on node "n1"
    And claim "c" is prepared on node "n1"
    And claim "extended resources of pod p" is prepared on node "n1"

  @case:a-pod-that-requests-a-class-by-its-implicit-name
  @KEP-5004/actuation/admission-ignores-node-allocatable @profile:kep @profile:since-1.35
  Scenario: A pod that requests a class by its implicit name runs on a node that does not list it
    Given a pod "p" that requests 2 of "deviceclass.resource.kubernetes.io/gpu"
    When the cluster settles
    Then pod "p" runs on node "n1"
    And claim "extended resources of pod p" is prepared on node "n1"

  @case:a-pod-with-a-special-claim-runs-on-a-node-that-has
  @KEP-5004/actuation/admission-ignores-node-allocatable @profile:kep @profile:since-1.35
  Scenario: A pod with a special claim runs on a node that has none of the resource left
    When the status of the Node "n1" is updated with
      | field                               | value |
      | status.allocatable[example.com/gpu] | '0'   |
    And a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs on node "n1"

  @case:a-pod-with-a-special-claim-for-two-resources-runs-on
  @KEP-5004/actuation/admission-ignores-node-allocatable @profile:kep @profile:since-1.35
  Scenario: A pod with a special claim for two resources runs on a node that has nothing left of either
    Given a device class "nic" for "example.com/nic"
    And a pod "p" with the container
      | container | limit example.com/gpu | limit example.com/nic |
      | main      | 1                     | 1                     |
    When the status of the Node "n1" is updated with
      | field                               | value |
      | status.allocatable[example.com/gpu] | '0'   |
      | status.allocatable[example.com/nic] | '0'   |
    And the cluster settles
    Then pod "p" runs on node "n1"

  @case:requests-of-any-name-are-prepared-as-the-status-of
  @KEP-5004/actuation/special-claim-prepared-like-any-claim @KEP-5004/naming/scheme-is-not-api
  Scenario: Requests of any name are prepared as the status of the pod maps them
    Given the fixture "special-claim-with-other-request-names"
    When the cluster settles
    Then pod "p" runs on node "n1"
    And claim "p-special" is prepared on node "n1" with
      | device |
      | gpu-0  |
      | gpu-1  |

  @case:a-pod-does-not-run-while-its-special-claim-is
  @KEP-5004/actuation/special-claim-prepared-like-any-claim
  Scenario: A pod does not run while its special claim is missing
    Given the fixture "special-claim-with-other-request-names"
    When the ResourceClaim "p-special" is deleted
    And the cluster settles
    Then pod "p" is pending

  @case:a-pod-does-not-run-while-its-special-claim-is-2
  @KEP-5004/actuation/special-claim-prepared-like-any-claim
  Scenario: A pod does not run while its special claim is reserved for nobody
    Given the fixture "special-claim-with-other-request-names"
    When the status of the ResourceClaim "p-special" is updated with
      | field              | value |
      | status.reservedFor |       |
      | status.allocation  |       |
    And the cluster settles
    Then pod "p" is pending

  @case:a-node-with-a-device-plugin-turns-away-a-pod-for
  @KEP-5004/actuation/admission-still-checks-device-plugin
  Scenario: A node with a device plugin turns away a pod for which it has too few devices
    Given a node "n2" with 2 of "example.com/gpu"
    When a pod "p" on node "n2" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs on node "n2"
    When a pod "q" on node "n2" that requests 2 of "example.com/gpu" is created
    And the cluster settles
    Then the Pod "q" has
      | field        | value  |
      | status.phase | Failed |
    And pod "p" runs on node "n2"

  @case:a-node-turns-away-a-pod-for-which-it-has-too-little
  @KEP-5004/actuation/admission-still-checks-device-plugin
  Scenario: A node turns away a pod for which it has too little cpu, though it has devices
    Given the fixture "special-claim-with-other-request-names"
    When a pod "big" on node "n1" with the container is created
      | container | limit cpu | limit example.com/gpu |
      | c0        | 8         | 1                     |
    And the cluster settles
    Then the Pod "big" has
      | field        | value  |
      | status.phase | Failed |
    And pod "p" runs on node "n1"

  @case:a-kubelet-without-the-feature-has-no-devices
  @KEP-5004/version-skew/partial-rollout @profile:kep @profile:from-1.34-to-1.36
  Scenario: A kubelet without the feature has no devices prepared
    Given the feature gate "DRAExtendedResource" is off in the kubelet
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster settles
    Then claim "extended resources of pod p" gets 1 device
    And claim "extended resources of pod p" is prepared on no node
