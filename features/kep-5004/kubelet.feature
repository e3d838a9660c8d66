Feature: Extended-resource claims on the kubelet
  The kubelet finds the extended-resource claim in the pod status and has its devices prepared like those of any
  ResourceClaim. The kubelet does not check DRA-backed extended resources against node allocatable.

  Background:
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    And a node "n1" with allocatable 4 of "cpu"
    And the devices
      | device |
      | gpu-0  |
      | gpu-1  |

  @case:prepared-with-pod-claim
  @KEP-5004/actuation/special-claim-prepared-like-any-claim @KEP-5004/actuation/admission-ignores-node-allocatable
  Scenario: An extended-resource claim is prepared together with a ResourceClaim of the pod
    Given a ResourceClaim "c" requesting 1 device of class "gpu"
    And a pod "p" that uses ResourceClaim "c" and requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "n1"
    And ResourceClaim "c" is prepared on node "n1"
    And ResourceClaim "extended resources of pod p" is prepared on node "n1"

  @case:implicit-name-not-in-allocatable
  @KEP-5004/actuation/admission-ignores-node-allocatable @profile:kep @profile:since-1.35
  Scenario: A pod with an implicit name runs on a node whose allocatable does not list this resource
    Given a pod "p" that requests 2 of "deviceclass.resource.kubernetes.io/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "n1"
    And ResourceClaim "extended resources of pod p" is prepared on node "n1"

  @case:zero-allocatable
  @KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin @profile:kep @profile:since-1.35
  Scenario: A pod with a DRA-backed extended resource runs on a node with zero allocatable quantity
    When the status of node "n1" is updated with
      | field                               | value |
      | status.allocatable[example.com/gpu] | '0'   |
    And a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "n1"

  @case:zero-allocatable-two-resources
  @KEP-5004/actuation/admission-ignores-node-allocatable @KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin
  @profile:kep @profile:since-1.35
  Scenario: A pod with two DRA-backed extended resources runs on a node that lists zero of both
    Given a DeviceClass "nic" for extended resource "example.com/nic"
    And a pod "p" with the container
      | container | limit example.com/gpu | limit example.com/nic |
      | main      | 1                     | 1                     |
    When the status of node "n1" is updated with
      | field                               | value |
      | status.allocatable[example.com/gpu] | '0'   |
      | status.allocatable[example.com/nic] | '0'   |
    And the cluster reaches a steady state
    Then pod "p" is Running on node "n1"

  @case:any-request-names-prepared
  @KEP-5004/actuation/special-claim-prepared-like-any-claim @KEP-5004/naming/scheme-is-not-api
  Scenario: The kubelet prepares all requests in requestMappings, regardless of the request names
    Given the fixture "extended-resource-claim-with-other-request-names"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "n1"
    And ResourceClaim "p-special" is prepared on node "n1" with
      | device |
      | gpu-0  |
      | gpu-1  |

  @case:claim-missing
  @KEP-5004/actuation/special-claim-prepared-like-any-claim
  Scenario: A pod stays Pending while its extended-resource claim is missing
    Given the fixture "extended-resource-claim-with-other-request-names"
    When ResourceClaim "p-special" is deleted
    And the cluster reaches a steady state
    Then pod "p" is Pending

  @case:claim-not-reserved
  @KEP-5004/actuation/special-claim-prepared-like-any-claim
  Scenario: A pod stays Pending while its extended-resource claim is neither allocated nor reserved
    Given the fixture "extended-resource-claim-with-other-request-names"
    When the status of ResourceClaim "p-special" is updated with
      | field              | value |
      | status.reservedFor |       |
      | status.allocation  |       |
    And the cluster reaches a steady state
    Then pod "p" is Pending

  @case:too-few-plugin-devices
  @KEP-5004/actuation/admission-still-checks-device-plugin
  Scenario: A pod fails if the device plugin of its node has too few devices left
    Given a node "n2" with allocatable 2 of "example.com/gpu"
    When a pod "p" on node "n2" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "n2"
    When a pod "q" on node "n2" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" has
      | field        | value  |
      | status.phase | Failed |
    And pod "p" is Running on node "n2"

  @case:too-little-cpu
  @KEP-5004/actuation/admission-still-checks-device-plugin
  Scenario: A pod with an extended resource fails if its node has too little CPU
    Given the fixture "extended-resource-claim-with-other-request-names"
    When a pod "big" on node "n1" with the container is created
      | container | limit cpu | limit example.com/gpu |
      | c0        | 8         | 1                     |
    And the cluster reaches a steady state
    Then pod "big" has
      | field        | value  |
      | status.phase | Failed |
    And pod "p" is Running on node "n1"
    But since Kubernetes 1.34, because the document names no reason of a rejected pod: pod "big" has
      | field         | value    |
      | status.phase  | Failed   |
      | status.reason | OutOfcpu |
    But since Kubernetes 1.34, because the document names no reason of a rejected pod: pod "p" is Running on node "n1"

  @case:gate-off-nothing-prepared
  @KEP-5004/feature-gate/name-and-components @profile:kep @profile:from-1.34-to-1.36
  Scenario: A kubelet with DRAExtendedResource off prepares no extended-resource claim
    Given the feature gate "DRAExtendedResource" is off in the kubelet
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then ResourceClaim "extended resources of pod p" is allocated 1 device
    And ResourceClaim "extended resources of pod p" is prepared on no node
