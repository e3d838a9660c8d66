Feature: In-place resize of pods with ResourceClaims
  A write to pods/resize is rejected while the pod has entries in status.nodeAllocatableResourceClaimStatuses.

  Background:
    Given the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: dra, namespace: default}
      spec:
        containers: [{name: main, image: i, resources: {requests: {cpu: "1", memory: 2Gi}}}]
        resourceClaims: [{name: c, resourceClaimName: c}]
      status:
        nodeAllocatableResourceClaimStatuses:
          - {resourceClaimName: c, containers: [main], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}
      """

  @case:status-entry-rejects-resize
  @KEP-5517/resize/rejected-with-claim-status
  Scenario Outline: A CPU or memory resize is rejected if the pod has nodeAllocatableResourceClaimStatuses
    When pod "dra" is resized to
      | field                                          | value    |
      | spec.containers[0].resources.requests.<resource> | <amount> |
    Then the object is rejected
    But in Kubernetes 1.36, because the document leaves open the type and the path of the error: the object is rejected with Forbidden at "spec"
    But since Kubernetes 1.37, because these releases allow the resize of such pods: the object is stored with
      | field                                            | value    |
      | spec.containers[0].resources.requests.<resource> | <amount> |

    Examples:
      | resource | amount |
      | cpu      | 2      |
      | memory   | 1Gi    |

  @case:any-status-entry-rejects-resize
  @KEP-5517/resize/rejected-with-claim-status
  Scenario Outline: A CPU resize is rejected whatever nodeAllocatableResourceClaimStatuses contains
    Given the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: other, namespace: default}
      spec:
        containers: [{name: main, image: i, resources: {requests: {cpu: "1", memory: 2Gi}}}]
        resourceClaims: [{name: c, resourceClaimName: c}, {name: d, resourceClaimName: d}]
      status:
        nodeAllocatableResourceClaimStatuses: <statuses>
      """
    When pod "other" is resized to
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 2     |
    Then the object is rejected
    But in Kubernetes 1.36, because the document leaves open the type and the path of the error: the object is rejected with Forbidden at "spec"
    But since Kubernetes 1.37, because these releases allow the resize of such pods: the object is stored with
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 2     |

    Examples:
      | entries     | statuses                                                                                                                                                                                                                                                                         |
      | memory only | [{resourceClaimName: c, containers: [main], resources: {memory: 1Gi}, mapping: [{name: memory, quantity: 1Gi}]}]                                                                                                                                                             |
      | two claims  | [{resourceClaimName: c, containers: [main], resources: {memory: 1Gi}, mapping: [{name: memory, quantity: 1Gi}]}, {resourceClaimName: d, containers: [main], resources: {cpu: "2"}, mapping: [{name: cpu, quantity: "2"}]}] |

  @case:resize-keeps-status-entry
  @KEP-5517/resize/integration @profile:kep-future @profile:since-1.37
  Scenario: A resized pod keeps its nodeAllocatableResourceClaimStatuses
    When pod "dra" is resized to
      | field                                        | value |
      | spec.containers[0].resources.requests.cpu    | 2     |
      | spec.containers[0].resources.requests.memory | 3Gi   |
    Then the object is stored with
      | field                                                          | value |
      | spec.containers[0].resources.requests.cpu                      | 2     |
      | spec.containers[0].resources.requests.memory                   | 3Gi   |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | c     |

  @case:unmapped-claim-resized
  @KEP-5517/resize/allowed-without-claim-status
  Scenario: A pod can be resized if its ResourceClaim is unreferenced and maps to no node resources
    Given a pod "plain" that uses ResourceClaim "gpu" with the container
      | container | request cpu |
      | main      | 1           |
    When pod "plain" is resized to
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 2     |
    Then the object is stored with
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 2     |

  @case:container-with-unmapped-claim-resized
  @KEP-5517/resize/allowed-without-claim-status
  Scenario: A container can be resized if its ResourceClaim maps to no node resources
    Given a pod "gpu" with the container
      | container | request cpu | claims |
      | main      | 1           | gpu    |
    When pod "gpu" is resized to
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 2     |
    Then the object is stored with
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 2     |
    But until Kubernetes 1.36, because these releases forget the claims when they compare mutable fields: the object is rejected with Forbidden at "spec"
