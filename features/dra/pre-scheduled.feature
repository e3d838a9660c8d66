@profile:kep @profile:since-1.34
Feature: Pods created with spec.nodeName
  The scheduler ignores a pod that is created with spec.nodeName. Nothing allocates its ResourceClaims, and the
  kubelet does not run it until they are allocated and reserved. A node selector avoids the problem.

  Background:
    Given a node "worker-1" with the labels
      | label                  | value    |
      | kubernetes.io/hostname | worker-1 |
    And a node "worker-2" with the labels
      | label                  | value    |
      | kubernetes.io/hostname | worker-2 |
    And the devices
      | device | node     |
      | gpu-0  | worker-1 |

  @case:generated-claim-not-allocated
  @DRA/pre-scheduled/nodename-bypasses-scheduler @DRA/pre-scheduled/kubelet-refuses-unready-claims
  Scenario: A pod with nodeName is Pending, and its generated ResourceClaim is not allocated
    Given a ResourceClaimTemplate "t" requesting 1 device
    When a pod "p" on node "worker-1" that uses the ResourceClaimTemplate "t" as "gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "gpu of pod p" has
      | field             | value |
      | status.allocation | null  |
    And ResourceClaim "gpu of pod p" is reserved for no pod
    And ResourceClaim "gpu of pod p" is prepared on no node

  @case:device-left-to-scheduled-pod
  @DRA/pre-scheduled/nodename-bypasses-scheduler
  Scenario: A device not allocated to a pod with nodeName is available to a scheduled pod
    Given a ResourceClaim "c" requesting 1 device
    And a ResourceClaim "d" requesting 1 device
    When a pod "p" on node "worker-1" that uses ResourceClaim "c" is created
    And a pod "q" that uses ResourceClaim "d" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "c" is not allocated
    And pod "q" is Running on node "worker-1"

  @case:missing-claim
  @DRA/pre-scheduled/kubelet-refuses-unready-claims
  Scenario: The kubelet does not run a pod whose ResourceClaim does not exist
    When a pod "p" on node "worker-1" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    But since Kubernetes 1.33, because the document does not say which event is reported: pod "p" is Pending
    But since Kubernetes 1.33, because the document does not say which event is reported: pod "p" has an event FailedPrepareDynamicResources

  @case:missing-template
  @DRA/pre-scheduled/kubelet-refuses-unready-claims
  Scenario: The kubelet does not run a pod whose ResourceClaimTemplate does not exist
    When a pod "p" on node "worker-1" that uses the ResourceClaimTemplate "t" as "gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "gpu of pod p" does not exist

  @case:one-claim-not-allocated
  @DRA/pre-scheduled/kubelet-refuses-unready-claims
  Scenario: The kubelet does not run a pod if one of its two ResourceClaims is not allocated
    Given a ResourceClaim "c" requesting 1 device
    And a ResourceClaim "d" requesting 1 device
    And a pod "q" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "q" is Running on node "worker-1"
    When a pod "p" on node "worker-1" that uses ResourceClaims "c, d" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "c" is reserved for pods "p, q"
    And ResourceClaim "d" is not allocated

  @case:second-claim-allocated-later
  @DRA/pre-scheduled/controller-reserves-allocated-claims @DRA/pre-scheduled/kubelet-rechecks
  Scenario: A ResourceClaim is reserved for a pod with a node after it is allocated for another pod
    Given the device
      | device | node     |
      | gpu-1  | worker-1 |
    And a ResourceClaim "c" requesting 1 device
    And a ResourceClaim "d" requesting 1 device
    And a pod "q" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "q" is Running on node "worker-1"
    When a pod "p" on node "worker-1" that uses ResourceClaims "c, d" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "c" is reserved for pods "p, q"
    When a pod "r" that uses ResourceClaims "c, d" is created
    And the cluster reaches a steady state
    Then ResourceClaim "d" is reserved for pods "p, r"
    And pod "p" is Running

  @case:claim-not-reserved
  @DRA/pre-scheduled/kubelet-refuses-unready-claims
  Scenario: The kubelet does not run a pod for which its allocated ResourceClaim is not reserved
    Given a ResourceClaim "c" requesting 1 device
    And a pod "q" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "q" is Running on node "worker-1"
    When ResourceClaim "c" is deleted
    And a pod "p" on node "worker-1" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "c" is reserved for pod "q"
    And ResourceClaim "c" keeps its allocation

  @case:kubelet-rechecks
  @DRA/pre-scheduled/kubelet-rechecks
  Scenario: A pod with nodeName runs once its ResourceClaim is created, allocated and reserved
    When a pod "p" on node "worker-1" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    When a ResourceClaim "c" requesting 1 device is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    When 30 seconds pass
    And a pod "q" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then ResourceClaim "c" is reserved for pods "p, q"
    And pod "p" is Running on node "worker-1"
    And ResourceClaim "c" is prepared on node "worker-1" with
      | device |
      | gpu-0  |

  @case:stuck-pod-keeps-node-resources
  @DRA/pre-scheduled/stuck-pod-blocks-node-resources
  Scenario: A stuck pod with nodeName uses up CPU of the node until the pod is deleted
    Given the object
      """
      apiVersion: v1
      kind: Node
      metadata: {name: worker-3, labels: {kubernetes.io/hostname: worker-3}}
      status: {allocatable: {cpu: "4"}}
      """
    And a pod "stuck" on node "worker-3" that uses ResourceClaim "missing"
    And a pod "two" without ResourceClaims
    And a pod "one" without ResourceClaims
    When pod "stuck" is created with
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 3     |
    And pod "two" is created with
      | field                                     | value                              |
      | spec.containers[0].resources.requests.cpu | 2                                  |
      | spec.nodeSelector                         | {kubernetes.io/hostname: worker-3} |
    And pod "one" is created with
      | field                                     | value                              |
      | spec.containers[0].resources.requests.cpu | 1                                  |
      | spec.nodeSelector                         | {kubernetes.io/hostname: worker-3} |
    And the cluster reaches a steady state
    Then pod "stuck" is Pending
    And pod "two" is Pending
    And pod "one" is Running on node "worker-3"
    When pod "stuck" is deleted
    And the cluster reaches a steady state
    Then pod "two" is Running on node "worker-3"

  @case:hostname-selector
  @DRA/pre-scheduled/node-selector-instead
  Scenario: A pod with a hostname nodeSelector runs on the selected node, not on another with a device
    Given a node "name-of-the-intended-node" with the labels
      | label                  | value                     |
      | kubernetes.io/hostname | name-of-the-intended-node |
    And a node "another-node"
    And the devices
      | device          | node                      | pool           |
      | large-black-cat | name-of-the-intended-node | black-cat-pool |
      | small-white-cat | another-node              | white-cat-pool |
    And a ResourceClaim "cat" requesting 1 device
    When this object is created
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: pod-with-cats, namespace: default}
      spec:
        nodeSelector:
          kubernetes.io/hostname: name-of-the-intended-node
        resourceClaims: [{name: cat, resourceClaimName: cat}]
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: cat}]}}]
      """
    And the cluster reaches a steady state
    Then pod "pod-with-cats" is Running on node "name-of-the-intended-node"
    And ResourceClaim "cat" is allocated exactly
      | device          | pool           |
      | large-black-cat | black-cat-pool |
    And ResourceClaim "cat" is reserved for pod "pod-with-cats"

  @case:hostname-selector-without-device
  @DRA/pre-scheduled/node-selector-instead
  Scenario: A Pending pod with a hostname nodeSelector uses no CPU of the selected node
    Given the object
      """
      apiVersion: v1
      kind: Node
      metadata: {name: worker-3, labels: {kubernetes.io/hostname: worker-3}}
      status: {allocatable: {cpu: "4"}}
      """
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" without ResourceClaims
    When pod "p" is created with
      | field                                     | value                              |
      | spec.containers[0].resources.requests.cpu | 3                                  |
      | spec.nodeSelector                         | {kubernetes.io/hostname: worker-3} |
    And pod "q" is created with
      | field                                     | value                              |
      | spec.containers[0].resources.requests.cpu | 2                                  |
      | spec.nodeSelector                         | {kubernetes.io/hostname: worker-3} |
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has
      | field         | value |
      | spec.nodeName | null  |
    And pod "q" is Running on node "worker-3"

  Rule: Preparation of devices on the node

    @case:prepared-on-node-of-pod
    @DRA/workflow/node-configures-device
    Scenario: The allocated device is prepared on the node of the pod
      Given a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running on node "worker-1"
      And ResourceClaim "c" is prepared on node "worker-1" with
        | device |
        | gpu-0  |

    @case:all-claims-prepared
    @DRA/workflow/node-configures-device
    Scenario: All devices of all ResourceClaims of a pod are prepared
      Given the devices
        | device | node     | pool | driver          |
        | nic-0  | worker-1 | nics | nic.example.com |
        | nic-1  | worker-1 | nics | nic.example.com |
      And a DeviceClass "nic" with the selector
        """
        device.driver == "nic.example.com"
        """
      And a DeviceClass "gpu" with the selector
        """
        device.driver == "dra.example.com"
        """
      And a ResourceClaim "c" requesting 1 device of class "gpu"
      And a ResourceClaim "n" requesting 2 devices of class "nic"
      And a pod "p" that uses ResourceClaims "c, n"
      When the cluster reaches a steady state
      Then pod "p" is Running on node "worker-1"
      And ResourceClaim "n" is prepared on node "worker-1" with
        | device |
        | nic-0  |
        | nic-1  |
      And ResourceClaim "c" is prepared on node "worker-1"

    @case:same-name-in-two-namespaces-prepared
    @DRA/workflow/node-configures-device
    Scenario: ResourceClaims of the same name in two namespaces are both prepared on a node
      Given the device
        | device | node     | pool | driver          |
        | nic-0  | worker-1 | nics | nic.example.com |
      And a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "ns-b/c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "ns-b/p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running on node "worker-1"
      And pod "ns-b/p" is Running on node "worker-1"
      And ResourceClaim "c" is prepared on node "worker-1"
      And ResourceClaim "ns-b/c" is prepared on node "worker-1"

    @case:all-drivers-prepare
    @DRA/workflow/node-configures-device
    Scenario: Each driver prepares its own devices of a ResourceClaim
      Given the device
        | device | node     | pool | driver          |
        | nic-0  | worker-1 | nics | nic.example.com |
      And a DeviceClass "gpu" with the selector
        """
        device.driver == "dra.example.com"
        """
      And a DeviceClass "nic" with the selector
        """
        device.driver == "nic.example.com"
        """
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | r0      | gpu             |
        | r1      | nic             |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running on node "worker-1"
      And ResourceClaim "c" is prepared on node "worker-1" with
        | device |
        | gpu-0  |
        | nic-0  |

    @case:admin-access-prepared
    @DRA/workflow/node-configures-device
    Scenario: A device allocated with adminAccess is prepared
      Given ResourceClaim "c" is already allocated
        | device | adminAccess |
        | gpu-0  | yes         |
      When a pod "p" on node "worker-1" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then pod "p" is Running on node "worker-1"
      And ResourceClaim "c" is prepared on node "worker-1" with
        | device |
        | gpu-0  |

    @case:unscheduled-pod-not-prepared
    @DRA/workflow/node-configures-device
    Scenario: A ResourceClaim is not prepared before its pod is assigned to a node
      Given ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field                | value                        |
        | spec.schedulingGates | [{name: example.com/go}] |
      And the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is prepared on no node

    @case:deleted-pod-not-prepared
    @DRA/workflow/node-configures-device
    Scenario: The ResourceClaim of a pod being deleted is not prepared when the pod's node is created
      Given ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      When a pod "p" on node "late" that uses ResourceClaim "c" is created
      And pod "p" is updated with
        | field               | value              |
        | metadata.finalizers | [example.com/keep] |
      And the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is reserved for pod "p"
      When pod "p" is deleted
      And this object is created
        """
        apiVersion: v1
        kind: Node
        metadata: {name: late}
        """
      And the cluster reaches a steady state
      Then ResourceClaim "c" is reserved for pod "p"
      And ResourceClaim "c" is prepared on no node

    @case:prepared-on-each-node
    @DRA/workflow/node-configures-device
    Scenario: A ResourceClaim is prepared on the node of each pod, and again after it was unprepared
      Given the device
        | device | node | pool | driver          |
        | net-0  | *    | nets | net.example.com |
      And a DeviceClass "net" with the selector
        """
        device.driver == "net.example.com"
        """
      And a ResourceClaim "c" requesting 1 device of class "net"
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "c"
      And a pod "r" that uses ResourceClaim "c"
      When pod "p" is created with
        | field             | value                              |
        | spec.nodeSelector | {kubernetes.io/hostname: worker-1} |
      And the cluster reaches a steady state
      Then ResourceClaim "c" is prepared on node "worker-1"
      When pod "q" is created with
        | field             | value                              |
        | spec.nodeSelector | {kubernetes.io/hostname: worker-2} |
      And the cluster reaches a steady state
      Then pod "q" is Running on node "worker-2"
      And ResourceClaim "c" is prepared on node "worker-2"
      When pod "q" is deleted
      And the cluster reaches a steady state
      Then ResourceClaim "c" keeps its allocation
      When pod "r" is created with
        | field             | value                              |
        | spec.nodeSelector | {kubernetes.io/hostname: worker-2} |
      And the cluster reaches a steady state
      Then pod "r" is Running on node "worker-2"
      And ResourceClaim "c" is prepared on node "worker-2"
