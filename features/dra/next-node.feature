@profile:kep @profile:since-1.34
Feature: Devices tried on one node and allocated on the next
  A device that every node can access may be chosen on a node that cannot provide the other devices. It is available
  again on the next node.

  Background:
    Given a node "n1" with allocatable 64 of "cpu"
    And a node "n2" with allocatable 8 of "cpu"
    And a DeviceClass "nic" with the selector
      """
      device.attributes["dra.example.com"].type == "nic"
      """
    And a DeviceClass "gpu" with the selector
      """
      device.attributes["dra.example.com"].type == "gpu"
      """

  @case:exclusive-device
  @DRA/workflow/filter-criteria @DRA/workflow/all-claims-of-a-pod-together
  Scenario Outline: A device tried without success on the first node is allocated on the second node
    Given the devices
      | device | node | pool   | attribute type |
      | nic-0  | *    | shared | string nic     |
      | gpu-0  | n2   | n2     | string gpu     |
    And a ResourceClaim "a" requesting 1 device of class "<first>"
    And a ResourceClaim "b" requesting 1 device of class "<second>"
    And a pod "p" that uses ResourceClaims "a, b"
    When scheduling of pod "p" is attempted
    Then Bind on node "n2" returns Success
    And after PreBind ResourceClaim "a" is allocated exactly "<device>"

    Examples:
      | first | second | device |
      | nic   | gpu    | nic-0  |
      | gpu   | nic    | gpu-0  |

  @case:two-requests
  @DRA/workflow/filter-criteria
  Scenario: A device tried for a request on one node is allocated to the same request on the next node
    Given the devices
      | device | node | pool   | attribute type |
      | nic-0  | *    | shared | string nic     |
      | gpu-0  | n2   | n2     | string gpu     |
    And a ResourceClaim "c" with the requests
      | request | deviceClassName |
      | r0      | nic             |
      | r1      | gpu             |
    And a pod "p" that uses ResourceClaim "c"
    When scheduling of pod "p" is attempted
    Then Bind on node "n2" returns Success
    And after PreBind ResourceClaim "c" is allocated exactly "nic-0, gpu-0"

  @case:equal-pod-but-for-one-field
  @DRA/workflow/filter-criteria
  Scenario Outline: A pod runs although a Pending pod with the same ResourceClaim differs only in <field>
    Given the object
      """
      apiVersion: v1
      kind: Node
      metadata: {name: n3, labels: {kubernetes.io/hostname: n3}}
      spec: {taints: [{key: dedicated, value: gpus, effect: NoSchedule}]}
      status: {allocatable: {cpu: "8", pods: "110"}}
      """
    And the device
      | device | node | pool | attribute type |
      | gpu-0  | n3   | n3   | string gpu     |
    And a ResourceClaim "c" requesting 1 device of class "gpu"
    When this object is created
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: q, namespace: default}
      spec:
        nodeSelector: {kubernetes.io/hostname: <node>}
        tolerations: <tolerations>
        resourceClaims: [{name: gpu, resourceClaimName: c}]
        containers:
          - {name: main, image: registry.k8s.io/pause:3.10, resources: {requests: {cpu: "<cpu>"}, claims: [{name: gpu}]}}
      """
    And the cluster reaches a steady state
    Then pod "q" is Pending
    When this object is created
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        nodeSelector: {kubernetes.io/hostname: n3}
        tolerations: [{key: dedicated, operator: Exists}]
        resourceClaims: [{name: gpu, resourceClaimName: c}]
        containers:
          - {name: main, image: registry.k8s.io/pause:3.10, resources: {requests: {cpu: "8"}, claims: [{name: gpu}]}}
      """
    And the cluster reaches a steady state
    Then pod "p" is Running on node "n3"
    And pod "q" is Pending

    Examples:
      | field        | node | tolerations                            | cpu |
      | tolerations  | n3   | []                                     | 8   |
      | nodeSelector | n1   | [{key: dedicated, operator: Exists}] | 8   |
      | requests     | n3   | [{key: dedicated, operator: Exists}] | 9   |

  @case:both-nodes-fit
  @DRA/workflow/filter-criteria
  Scenario: A device that all nodes can access lets the pod pass Filter on each of two nodes
    Given the devices
      | device | node | pool   | attribute type |
      | nic-0  | *    | shared | string nic     |
      | gpu-1  | n1   | n1     | string gpu     |
      | gpu-2  | n2   | n2     | string gpu     |
    And a ResourceClaim "a" requesting 1 device of class "nic"
    And a ResourceClaim "b" requesting 1 device of class "gpu"
    And a pod "p" that uses ResourceClaims "a, b"
    When scheduling of pod "p" on nodes "n1, n2" is attempted
    Then Bind returns Success
    And after PreBind ResourceClaim "a" is allocated exactly "nic-0"
    But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n1" returns Success
    But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n2" returns Success

  @case:rejected-by-allocated-claim
  @DRA/workflow/pod-lands-where-device-is @DRA/workflow/filter-criteria
  Scenario Outline: A device tried on a node that an allocated claim excludes is allocated on the next node
    Given the devices
      | device | node | pool   | attribute type |
      | nic-0  | *    | shared | string nic     |
      | gpu-2  | n2   | n2     | string gpu     |
    And a ResourceClaim "a" requesting 1 device of class "nic"
    And a ResourceClaim "b" requesting 1 device of class "gpu"
    And a pod "first" that uses ResourceClaim "b"
    And a pod "p" that uses ResourceClaims "<claims>"
    When pod "first" is created
    And the cluster reaches a steady state
    Then pod "first" is Running on node "n2"
    When pod "p" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "n2"
    And ResourceClaim "a" is allocated exactly
      | device |
      | nic-0  |

    Examples:
      | claims |
      | a, b   |
      | b, a   |

  @case:counter
  @DRA/partitionable/allocatable-iff-enough-left
  Scenario: A counter consumed by a device tried on one node is available on the next node
    Given the counter set
      | counterSet | pool   | counter memory | node |
      | chip       | shared | 8Gi            | *    |
    And the devices
      | device | node | pool   | attribute type | consumesCounters chip |
      | nic-0  | *    | shared | string nic     | memory 6Gi            |
      | gpu-0  | n2   | n2     | string gpu     |                       |
    And a ResourceClaim "a" requesting 1 device of class "nic"
    And a ResourceClaim "b" requesting 1 device of class "gpu"
    And a pod "p" that uses ResourceClaims "a, b"
    When scheduling of pod "p" is attempted
    Then Bind on node "n2" returns Success
    And after PreBind ResourceClaim "a" is allocated exactly "nic-0"

  @case:attribute
  @DRA/claim/constraints-limit-devices
  Scenario: A matchAttribute value fixed on one node does not limit the devices of the next node
    Given the devices
      | device | node | pool | attribute type | attribute numa |
      | nic-1  | n1   | n1   | string nic     | int 1          |
      | gpu-1  | n1   | n1   | string gpu     | int 2          |
      | nic-2  | n2   | n2   | string nic     | int 3          |
      | gpu-2  | n2   | n2   | string gpu     | int 3          |
    And a ResourceClaim "c" with the requests
      | request | deviceClassName |
      | r0      | nic             |
      | r1      | gpu             |
    And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
    And a pod "p" that uses ResourceClaim "c"
    When scheduling of pod "p" is attempted
    Then Bind on node "n2" returns Success
    And after PreBind ResourceClaim "c" is allocated exactly "nic-2, gpu-2"

  @case:first-choice
  @DRA/prioritized-list/first-satisfiable-wins
  Scenario: A subrequest that failed on one node is tried again on the next node
    Given the devices
      | device | node | pool | attribute type |
      | nic-0  | n2   | n2   | string nic     |
    And a ResourceClaim "c" with the requests
      | request | subrequest | deviceClassName |
      | r0      | big        | gpu             |
      | r0      | small      | nic             |
    And a pod "p" that uses ResourceClaim "c"
    When scheduling of pod "p" is attempted
    Then Bind on node "n2" returns Success
    And after PreBind ResourceClaim "c" is allocated exactly "nic-0"
